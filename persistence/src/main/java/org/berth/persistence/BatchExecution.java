package org.berth.persistence;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * One execution of a batch job, as the runtime's tables hold it.
 *
 * @param newestId the newest execution of the same instance; {@code executionId} unless it was restarted
 * @param status the batch status, such as {@code STOPPED}
 * @param exitStatus null while it runs
 * @param started null before it runs
 * @param ended null while it runs
 * @param parameters those that it was started with; empty for none
 * @param steps in the order in which they were begun
 */
public record BatchExecution(
        long executionId,
        long instanceId,
        long newestId,
        String job,
        String status,
        String exitStatus,
        Instant started,
        Instant ended,
        Map<String, String> parameters,
        List<Step> steps) {
    public BatchExecution {
        parameters = Map.copyOf(parameters);
        steps = List.copyOf(steps);
    }

    /** One step. @param exitStatus null while it runs */
    public record Step(String name, String status, String exitStatus) {}

    BatchExecution with(List<Step> begun) {
        return new BatchExecution(
                executionId, instanceId, newestId, job, status, exitStatus, started, ended, parameters, begun);
    }
}
