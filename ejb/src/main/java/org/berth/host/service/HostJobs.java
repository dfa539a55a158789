package org.berth.host.service;

import jakarta.batch.operations.JobOperator;
import jakarta.batch.operations.NoSuchJobException;
import jakarta.batch.operations.NoSuchJobExecutionException;
import jakarta.batch.runtime.BatchRuntime;
import jakarta.batch.runtime.BatchStatus;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.persistence.BatchRecords;

/**
 * Starts batch jobs in this host's name, so that executions which a killed server left open are found as its own at the
 * next boot. Call it with no transaction open.
 */
@ApplicationScoped
public class HostJobs {
    private static final Logger LOG = Logger.getLogger(HostJobs.class.getName());

    @Inject
    private Host host;

    /** The execution of each job that this server started last. */
    private final ConcurrentMap<String, Long> newest = new ConcurrentHashMap<>();

    /** Starts the job. @throws jakarta.batch.operations.BatchRuntimeException when it cannot be started */
    public void start(String job) {
        Properties parameters = new Properties();
        parameters.setProperty(BatchRecords.HOST, host.hostId());
        newest.put(job, BatchRuntime.getJobOperator().start(job, parameters));
    }

    /** As {@link #start}, unless the execution that this server started last still runs. */
    public void startUnlessRunning(String job) {
        if (!isRunning(job)) {
            start(job);
        }
    }

    private boolean isRunning(String job) {
        Long execution = newest.get(job);
        if (execution == null) {
            return false;
        }
        JobOperator operator = BatchRuntime.getJobOperator();
        try {
            BatchStatus status = operator.getJobExecution(execution).getBatchStatus();
            return status == BatchStatus.STARTED || status == BatchStatus.STARTING || status == BatchStatus.STOPPING;
        } catch (NoSuchJobException | NoSuchJobExecutionException e) {
            LOG.log(Level.FINE, "the last execution of " + job + " was purged", e);
            return false;
        }
    }
}
