/**
 * The batch jobs of environments. Entry points: {@link org.berth.environment.batch.CheckpointStep}, each step of the job
 * {@code checkpoint-capture}, and {@link org.berth.environment.batch.CompletionReconcile}, run by the job {@code
 * completion-reconcile}. May use domain.
 */
package org.berth.environment.batch;
