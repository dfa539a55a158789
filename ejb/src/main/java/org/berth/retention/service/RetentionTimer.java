package org.berth.retention.service;

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
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.host.service.HostJobs;
import org.berth.host.service.PolicyReloaded;

/**
 * Starts the job {@code retention} soon after the boot and then once an hour, more often only where a retention is
 * shorter than that deserves; never two at once. A reload begins the delay anew.
 */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class RetentionTimer {
    /** The job's id, which is its file's name: {@value}. */
    static final String JOB = "retention";

    private static final Logger LOG = Logger.getLogger(RetentionTimer.class.getName());
    private static final Duration AT_MOST_EVERY = Duration.ofHours(1);
    private static final Duration AT_LEAST_EVERY = Duration.ofSeconds(1);
    private static final Duration AFTER_BOOT = Duration.ofSeconds(10);

    /** A look comes at least so often within the shortest retention. */
    private static final int LOOKS = 100;

    @Resource
    private TimerService timers;

    @Inject
    private Host host;

    @Inject
    private HostJobs jobs;

    private Timer pending;

    @PostConstruct
    void start() {
        Duration every = every(host.policy());
        next(every.compareTo(AFTER_BOOT) < 0 ? every : AFTER_BOOT);
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
        next(every(host.policy()));
    }

    static Duration every(HostPolicy policy) {
        return Stream.of(
                        policy.evidenceRetention(),
                        policy.retention().operations(),
                        policy.retention().events())
                .filter(Objects::nonNull)
                .map(kept -> kept.dividedBy(LOOKS))
                .min(Duration::compareTo)
                .filter(part -> part.compareTo(AT_MOST_EVERY) < 0)
                .map(part -> part.compareTo(AT_LEAST_EVERY) < 0 ? AT_LEAST_EVERY : part)
                .orElse(AT_MOST_EVERY);
    }

    private synchronized void next(Duration delay) {
        if (pending == null) {
            pending = timers.createSingleActionTimer(delay.toMillis(), new TimerConfig(JOB, false));
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
            LOG.log(Level.WARNING, "the retention could not be started; it is tried again", e);
        } finally {
            next(every(host.policy()));
        }
    }
}
