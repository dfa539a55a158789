/**
 * The rule of the working directory without a disk. Entry point: {@link
 * org.berth.harness.access.model.WorkingDirectoryModel}. java.base only.
 */
package org.berth.harness.access.model;
