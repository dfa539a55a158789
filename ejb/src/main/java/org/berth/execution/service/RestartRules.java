package org.berth.execution.service;

import java.util.Optional;
import java.util.Set;
import org.berth.environment.service.CheckpointJobs;
import org.berth.persistence.BatchExecution;
import org.berth.persistence.BatchRecords;

/** Which executions may be restarted. Source: Jakarta Batch 2.1, JobOperator.restart. */
final class RestartRules {
    /** The others are started anew by their timers, and their files say {@code restartable="false"}. */
    private static final String RESTARTABLE = CheckpointJobs.JOB;

    private static final Set<String> OVER = Set.of("FAILED", "STOPPED");

    private RestartRules() {}

    /** The sentence that refuses the restart on this host; empty when it may be restarted. */
    static Optional<String> obstacle(BatchExecution execution, String hostId) {
        String named = "Execution " + execution.executionId();
        if (!RESTARTABLE.equals(execution.job())) {
            return Optional.of(
                    named + " is of the job " + execution.job() + "; only " + RESTARTABLE + " is ever restarted.");
        }
        if (!hostId.equals(execution.parameters().get(BatchRecords.HOST))) {
            return Optional.of(named + " is of another host; restart it there.");
        }
        if (execution.newestId() != execution.executionId()) {
            return Optional.of(CheckpointJobs.superseded(execution.executionId(), execution.newestId()));
        }
        return OVER.contains(execution.status())
                ? Optional.empty()
                : Optional.of(named + " is " + execution.status() + "; only STOPPED and FAILED ones are restarted.");
    }
}
