package org.berth.placement.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.CleanupState;
import org.berth.placement.ExecutionState;
import org.berth.placement.Processes;
import org.berth.placement.RunnerStatus;
import org.berth.placement.store.AttemptRepository;

/**
 * After a supervisor was connected (at boot, or again): every attempt that is not over is observed and recorded, lost
 * stops are ordered again, and what the supervisor keeps of cleaned attempts is dropped. Source: architecture.md, After
 * a crash.
 */
@ApplicationScoped
public class Recovery {
    private static final Logger LOG = Logger.getLogger(Recovery.class.getName());
    private static final long OBSERVE_SECONDS = 10;

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Host host;

    @Inject
    private AttemptRepository attempts;

    @Inject
    private ReconcileService reconciles;

    @Inject
    private ProcessesGateway gateway;

    @Inject
    private Event<SupervisorConnected> connections;

    private final AtomicBoolean wanted = new AtomicBoolean();
    private final AtomicBoolean running = new AtomicBoolean();

    /** Runs one recovery, soon and on another thread; a request during a run makes one more run. */
    public void supervisorConnected() {
        wanted.set(true);
        executor.execute(this::run);
        connections.fire(new SupervisorConnected());
    }

    private void run() {
        if (!running.compareAndSet(false, true)) {
            return;
        }
        try {
            while (wanted.getAndSet(false)) {
                recover();
            }
        } finally {
            running.set(false);
        }
        if (wanted.get()) {
            executor.execute(this::run);
        }
    }

    private void recover() {
        List<Attempt> unfinished = attempts.unfinished(host.hostId());
        int failed = 0;
        for (Attempt attempt : unfinished) {
            if (attempt.executionState() == ExecutionState.EXITED
                    || attempt.executionState() == ExecutionState.INTENDED) {
                continue;
            }
            try {
                Attempt now =
                        reconciles.reconcile(attempt).toCompletableFuture().get(OBSERVE_SECONDS, TimeUnit.SECONDS);
                reconciles.repeatStop(now);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Exception e) {
                failed++;
                LOG.log(Level.FINE, "recovery could not observe an attempt", e);
            }
        }
        forgetCleaned();
        if (!unfinished.isEmpty()) {
            LOG.info("recovery looked at " + unfinished.size() + " unfinished attempts, " + failed
                    + " could not be observed yet");
        }
    }

    /** A forget may be lost with a server between the cleanup's commit and its order. */
    private void forgetCleaned() {
        try {
            List<RunnerStatus> known =
                    gateway.call(Processes::list).toCompletableFuture().get(OBSERVE_SECONDS, TimeUnit.SECONDS);
            for (RunnerStatus status : known) {
                attempts.findByKey(status.attemptKey())
                        .filter(attempt -> attempt.cleanupState() == CleanupState.COMPLETE)
                        .filter(attempt -> attempt.nonce().equals(status.nonce()))
                        .ifPresent(attempt ->
                                gateway.call(processes -> processes.forget(attempt.attemptKey(), attempt.nonce())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.log(Level.FINE, "recovery could not list the supervisor's attempts", e);
        }
    }
}
