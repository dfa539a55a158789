package org.berth.execution.service;

import jakarta.batch.runtime.BatchStatus;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.access.Caller;
import org.berth.environment.service.CheckpointJobs;
import org.berth.host.service.Host;
import org.berth.persistence.BatchExecution;
import org.berth.persistence.BatchRecords;
import org.berth.persistence.BatchTables;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Shows the executions of every batch job and restarts those that can be, on behalf of an operator. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class BatchExecutions {
    @Inject
    private BatchTables tables;

    @Inject
    private CheckpointJobs checkpoints;

    @Inject
    private Host host;

    /** For the container, which injects. */
    public BatchExecutions() {}

    BatchExecutions(BatchTables tables, CheckpointJobs checkpoints, Host host) {
        this.tables = tables;
        this.checkpoints = checkpoints;
        this.host = host;
    }

    /**
     * Newest first.
     *
     * @param job null for every job's
     * @param state null for every state
     * @throws BerthException FORBIDDEN, UNAVAILABLE
     */
    public List<Map<String, Object>> newest(Caller caller, String job, BatchStatus state, int limit) {
        requireOperator(caller);
        try {
            return tables.newest(job, state == null ? null : state.name(), limit).stream()
                    .map(this::view)
                    .toList();
        } catch (SQLException e) {
            throw unreadable(e);
        }
    }

    /**
     * Restarts it; of callers at once one does. Steps that completed are not run again.
     *
     * @return the new execution
     * @throws BerthException FORBIDDEN; NOT_FOUND; CONFLICT when it cannot be restarted, or was; UNAVAILABLE when it is
     *     still as it was
     */
    public long restart(Caller caller, long executionId) {
        requireOperator(caller);
        Optional<BatchExecution> found;
        try {
            found = tables.find(executionId);
        } catch (SQLException e) {
            throw unreadable(e);
        }
        RestartRules.obstacle(found.orElseThrow(() -> CheckpointJobs.unknown(executionId)), host.hostId())
                .ifPresent(sentence -> {
                    throw BerthException.conflict(sentence);
                });
        return checkpoints.restart(executionId);
    }

    private Map<String, Object> view(BatchExecution execution) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("executionId", execution.executionId());
        tree.put("instanceId", execution.instanceId());
        tree.put("job", execution.job());
        tree.put("status", execution.status());
        tree.put("exitStatus", execution.exitStatus());
        tree.put("started", text(execution.started()));
        tree.put("ended", text(execution.ended()));
        tree.put("hostId", execution.parameters().get(BatchRecords.HOST));
        tree.put("checkpointId", execution.parameters().get(CheckpointJobs.OPERATION));
        tree.put("restartable", RestartRules.obstacle(execution, host.hostId()).isEmpty());
        List<Map<String, Object>> steps = new ArrayList<>();
        for (BatchExecution.Step each : execution.steps()) {
            Map<String, Object> step = new LinkedHashMap<>();
            step.put("step", each.name());
            step.put("status", each.status());
            step.put("exitStatus", each.exitStatus());
            steps.add(step);
        }
        tree.put("steps", steps);
        return tree;
    }

    private static String text(Instant instant) {
        return instant == null ? null : instant.toString();
    }

    private static void requireOperator(Caller caller) {
        if (!caller.isOperator()) {
            throw new BerthException(ProblemCode.FORBIDDEN, "only an operator sees and restarts batch executions");
        }
    }

    private static BerthException unreadable(SQLException cause) {
        return new BerthException(ProblemCode.UNAVAILABLE, "the batch executions cannot be read now; try again", cause);
    }
}
