/**
 * Jobs: long-running work with an output, one end, and a kill. Entry point: {@link org.berth.harness.job.SessionJobs};
 * below it {@link org.berth.harness.job.Job} (output and end), {@link org.berth.harness.job.BlockingWait} (every wait),
 * {@link org.berth.harness.job.JobTable} (what a rewind stops), {@link org.berth.harness.job.JobWriter} (the documents).
 * Uses java.base and the output package; {@code model} holds the same rules as pure data.
 */
package org.berth.harness.job;
