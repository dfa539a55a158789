/**
 * The rules of local access without a disk or a socket. Entry points: {@link
 * org.berth.harness.access.model.WorkingDirectoryModel}, {@link org.berth.harness.access.model.SocketDirectoryModel}, {@link
 * org.berth.harness.access.model.LocalAccessModel}. java.base only.
 */
package org.berth.harness.access.model;
