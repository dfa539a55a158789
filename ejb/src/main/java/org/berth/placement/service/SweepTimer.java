package org.berth.placement.service;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.batch.operations.JobOperator;
import jakarta.batch.operations.NoSuchJobException;
import jakarta.batch.runtime.BatchRuntime;
import jakarta.batch.runtime.BatchStatus;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.NoSuchObjectLocalException;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.Timeout;
import jakarta.ejb.Timer;
import jakarta.ejb.TimerConfig;
import jakarta.ejb.TimerService;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.host.service.Host;
import org.berth.host.service.PolicyReloaded;
import org.berth.persistence.BatchRecords;

/**
 * Starts the job {@code placement-sweep} again each time the policy's delay is over, never two at once. The next delay
 * is read from the policy; a reload begins it anew.
 */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class SweepTimer {
    static final String JOB = "placement-sweep";
    private static final Logger LOG = Logger.getLogger(SweepTimer.class.getName());

    @Resource
    private TimerService timers;

    @Inject
    private Host host;

    private volatile long running = -1;
    private Timer pending;

    @PostConstruct
    void start() {
        next();
    }

    /** A new delay holds at once. */
    public synchronized void reloaded(@Observes PolicyReloaded reloaded) {
        if (pending != null) {
            try {
                pending.cancel();
            } catch (NoSuchObjectLocalException | IllegalStateException e) {
                LOG.log(Level.FINE, "the timer fired meanwhile", e);
            }
            pending = null;
        }
        next();
    }

    private synchronized void next() {
        if (pending == null) {
            Duration every = host.policy().sweep().every();
            pending = timers.createSingleActionTimer(every.toMillis(), new TimerConfig(JOB, false));
        }
    }

    private synchronized void fired() {
        pending = null;
    }

    @Timeout
    void due(Timer timer) {
        fired();
        try {
            JobOperator operator = BatchRuntime.getJobOperator();
            if (!isRunning(operator)) {
                Properties parameters = new Properties();
                parameters.setProperty(BatchRecords.HOST, host.hostId());
                running = operator.start(JOB, parameters);
            }
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the sweep could not be started; it is tried again", e);
        } finally {
            next();
        }
    }

    private boolean isRunning(JobOperator operator) {
        if (running < 0) {
            return false;
        }
        try {
            BatchStatus status = operator.getJobExecution(running).getBatchStatus();
            return status == BatchStatus.STARTED || status == BatchStatus.STARTING || status == BatchStatus.STOPPING;
        } catch (NoSuchJobException | jakarta.batch.operations.NoSuchJobExecutionException e) {
            LOG.log(Level.FINE, "the last sweep's execution was purged", e);
            return false;
        }
    }
}
