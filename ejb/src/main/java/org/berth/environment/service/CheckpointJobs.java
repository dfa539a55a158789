package org.berth.environment.service;

import jakarta.batch.operations.JobExecutionAlreadyCompleteException;
import jakarta.batch.operations.JobOperator;
import jakarta.batch.operations.JobRestartException;
import jakarta.batch.operations.NoSuchJobExecutionException;
import jakarta.batch.runtime.BatchRuntime;
import jakarta.batch.runtime.BatchStatus;
import jakarta.batch.runtime.JobExecution;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import java.util.Comparator;
import java.util.EnumSet;
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
    static final String JOB = "checkpoint-capture";

    /** The name of the job parameter that says which operation it captures: {@value}. */
    static final String OPERATION = "operationId";

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

    /** The newest execution of the instance that {@code executionId} is of; empty when the runtime keeps none. */
    private static Optional<JobExecution> latest(long executionId) {
        if (executionId <= 0) {
            return Optional.empty();
        }
        try {
            JobOperator operator = operator();
            return operator.getJobExecutions(operator.getJobInstance(executionId)).stream()
                    .max(Comparator.comparingLong(JobExecution::getExecutionId));
        } catch (NoSuchJobExecutionException | jakarta.batch.operations.NoSuchJobInstanceException e) {
            return Optional.empty();
        }
    }

    private static JobOperator operator() {
        return BatchRuntime.getJobOperator();
    }
}
