/**
 * The batch job of retention. Entry point: {@link org.berth.retention.batch.RetentionRun}, run by the job {@code
 * retention}. May use domain.
 */
package org.berth.retention.batch;
