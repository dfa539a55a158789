/**
 * The batch jobs of environments. Entry point: {@link org.berth.environment.batch.CheckpointStep}, each step of the job
 * {@code checkpoint-capture}. May use domain.
 */
package org.berth.environment.batch;
