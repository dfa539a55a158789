/**
 * The work queue: items between seats and their append-only transitions. Entry point: {@link org.berth.work.WorkNotes}
 * for other features. Depends on java.base and {@code org.berth.problem} only.
 */
package org.berth.work;
