package org.berth.placement.service;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
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
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.host.service.Host;
import org.berth.host.service.HostJobs;
import org.berth.host.service.PolicyReloaded;

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

    @Inject
    private HostJobs jobs;

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
            jobs.startUnlessRunning(JOB);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the sweep could not be started; it is tried again", e);
        } finally {
            next();
        }
    }
}
