/** Private files of Berth's own: made 0600, written at once or not at all. Entry point: {@link org.berth.files.PrivateFiles}. java.base only. */
package org.berth.files;
