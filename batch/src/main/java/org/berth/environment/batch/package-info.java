/**
 * The batch jobs of environments. Entry point: {@link org.berth.environment.batch.CompletionReconcile}, run by the job
 * {@code completion-reconcile}. May use domain.
 */
package org.berth.environment.batch;
