package org.berth.environment.service;

import jakarta.batch.operations.BatchRuntimeException;
import jakarta.batch.operations.JobExecutionAlreadyCompleteException;
import jakarta.batch.operations.JobExecutionNotMostRecentException;
import jakarta.batch.operations.JobOperator;
import jakarta.batch.operations.JobRestartException;
import jakarta.batch.operations.NoSuchJobExecutionException;
import jakarta.batch.operations.NoSuchJobInstanceException;
import jakarta.batch.runtime.BatchRuntime;
import jakarta.batch.runtime.BatchStatus;
import jakarta.batch.runtime.JobExecution;
import jakarta.batch.runtime.StepExecution;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.berth.persistence.BatchRecords;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The executions of the job {@code checkpoint-capture}. They belong to this archive, so that the management console shows
 * all of them in one place, whoever asked.
 */
@Singleton
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class CheckpointJobs {
    /** The job's id, which is its file's name: {@value}. */
    public static final String JOB = "checkpoint-capture";

    /** The name of the job parameter that says which operation it captures: {@value}. */
    public static final String OPERATION = "operationId";

    private static final Set<BatchStatus> UNDER_WAY =
            EnumSet.of(BatchStatus.STARTING, BatchStatus.STARTED, BatchStatus.STOPPING);

    /** Whether an execution still works. */
    public boolean runs(long executionId) {
        return latest(executionId)
                .filter(each -> UNDER_WAY.contains(each.getBatchStatus()))
                .isPresent();
    }

    /**
     * Joins the execution that works on the operation, restarts the one that failed or was stopped, or starts the first.
     * Steps that completed are not run again.
     *
     * @param executionId the last one that is known; 0 for none
     * @return the execution to wait for
     */
    public synchronized long ensure(String operationId, String hostId, long executionId) {
        Properties parameters = new Properties();
        parameters.setProperty(OPERATION, operationId);
        parameters.setProperty(BatchRecords.HOST, hostId);
        Optional<JobExecution> last = latest(executionId);
        if (last.isEmpty() || last.get().getBatchStatus() == BatchStatus.ABANDONED) {
            return operator().start(JOB, parameters);
        }
        BatchStatus status = last.get().getBatchStatus();
        if (status != BatchStatus.FAILED && status != BatchStatus.STOPPED) {
            return last.get().getExecutionId();
        }
        try {
            return operator().restart(last.get().getExecutionId(), parameters);
        } catch (JobExecutionAlreadyCompleteException | NoSuchJobExecutionException e) {
            return operator().start(JOB, parameters);
        } catch (JobRestartException e) {
            throw new BerthException(
                    ProblemCode.CONFLICT, "The capture was restarted by others; send the request again.", e);
        }
    }

    /**
     * Restarts an execution with its own parameters, as an administrator would. Steps that completed are not run again.
     *
     * @return the new execution
     * @throws BerthException NOT_FOUND; CONFLICT when it was restarted meanwhile, completed, or still runs; UNAVAILABLE
     *     when the runtime starts nothing
     */
    public synchronized long restart(long executionId) {
        JobExecution last = latest(executionId).orElseThrow(() -> unknown(executionId));
        if (last.getExecutionId() != executionId) {
            throw BerthException.conflict(superseded(executionId, last.getExecutionId()));
        }
        try {
            return operator().restart(executionId, operator().getParameters(executionId));
        } catch (NoSuchJobExecutionException e) {
            throw unknown(executionId);
        } catch (JobExecutionAlreadyCompleteException | JobExecutionNotMostRecentException | JobRestartException e) {
            throw new BerthException(
                    ProblemCode.CONFLICT,
                    "Execution " + executionId + " cannot be restarted as it stands now; look at it again.",
                    e);
        } catch (BatchRuntimeException e) {
            throw new BerthException(
                    ProblemCode.UNAVAILABLE, "The batch runtime restarts nothing now; send the request again.", e);
        }
    }

    /** The sentence on an execution that was restarted. */
    public static String superseded(long executionId, long newestId) {
        return "Execution " + executionId + " was restarted already; the newest is " + newestId + ".";
    }

    /** NOT_FOUND. */
    public static BerthException unknown(long executionId) {
        return BerthException.notFound("there is no batch execution " + executionId);
    }

    /** Every execution of the capture that {@code executionId} is of, oldest first; none when the runtime kept none. */
    public List<Map<String, Object>> executions(long executionId) {
        return instance(executionId).stream()
                .sorted(Comparator.comparingLong(JobExecution::getExecutionId))
                .map(CheckpointJobs::view)
                .toList();
    }

    private static Map<String, Object> view(JobExecution execution) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("executionId", execution.getExecutionId());
        tree.put("status", execution.getBatchStatus().name());
        tree.put("exitStatus", execution.getExitStatus());
        List<Map<String, Object>> steps = new ArrayList<>();
        for (StepExecution each : operator().getStepExecutions(execution.getExecutionId())) {
            Map<String, Object> step = new LinkedHashMap<>();
            step.put("step", each.getStepName());
            step.put("status", each.getBatchStatus().name());
            step.put("exitStatus", each.getExitStatus());
            steps.add(step);
        }
        tree.put("steps", steps);
        return tree;
    }

    /** The newest execution of the instance that {@code executionId} is of; empty when the runtime keeps none. */
    private static Optional<JobExecution> latest(long executionId) {
        return instance(executionId).stream().max(Comparator.comparingLong(JobExecution::getExecutionId));
    }

    private static List<JobExecution> instance(long executionId) {
        if (executionId <= 0) {
            return List.of();
        }
        try {
            JobOperator operator = operator();
            return operator.getJobExecutions(operator.getJobInstance(executionId));
        } catch (NoSuchJobExecutionException | NoSuchJobInstanceException e) {
            return List.of();
        }
    }

    private static JobOperator operator() {
        return BatchRuntime.getJobOperator();
    }
}
