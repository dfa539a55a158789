/**
 * The work queue: creations in shared transactions, changes by the lifecycle's rules. Entry points: {@link
 * org.berth.work.service.QueueService} for routes, {@code org.berth.work.WorkNotes} for other features. May use domain
 * and persistence.
 */
package org.berth.work.service;
