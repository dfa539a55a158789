package org.berth.placement.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.access.Caller;
import org.berth.fault.FaultPoint;
import org.berth.placement.Attempt;
import org.berth.placement.AttemptSteps;
import org.berth.placement.Capability;
import org.berth.placement.CleanupState;
import org.berth.placement.ExecutionState;
import org.berth.placement.ExitSource;
import org.berth.placement.Step;

/**
 * Removes an attempt's home when the scope that the launch required is proven gone. Overlapping calls agree; complete
 * answers itself. Source: placement.md, cleanup and Capability.
 */
@ApplicationScoped
public class CleanupService {
    private static final Logger LOG = Logger.getLogger(CleanupService.class.getName());

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private AttemptReader reader;

    @Inject
    private AttemptChanges changes;

    @Inject
    private AttemptHomes homes;

    @Inject
    private LaunchEnds ends;

    @Inject
    private ProcessesGateway gateway;

    @Inject
    private ContainerAttempts containers;

    @Inject
    private Clock clock;

    /** Fails with CONFLICT or UNCERTAIN while the scope is not proven gone, STORAGE when the home stays. */
    public CompletionStage<Attempt> cleanUp(Caller caller, String attemptId) {
        Attempt recorded = reader.ours(caller, attemptId);
        Attempt attempt = admitted(recorded);
        if (attempt.cleanupState() == CleanupState.COMPLETE) {
            return CompletableFuture.completedFuture(attempt);
        }
        return scope(attempt)
                .thenApply(scope -> scope.proof() == null
                        ? refuse(attempt, scope.reason(), scope.survivors())
                        : remove(attempt, scope.proof()));
    }

    /**
     * Cleans up what preparers made for an attempt that is over, though nobody asked for its cleanup yet; its home stays.
     * Source: placement.md, Preparers.
     *
     * @return whether nothing of it is left
     */
    CompletionStage<Boolean> settle(Attempt attempt) {
        if (attempt.executionState() != ExecutionState.EXITED) {
            return CompletableFuture.completedFuture(false);
        }
        return scope(attempt).thenApply(scope -> scope.proof() != null && ends.settlePreparers(attempt));
    }

    /** @param proof why the scope is gone; null while it is not */
    private record Scope(String proof, String reason, List<Long> survivors) {
        static Scope gone(String proof) {
            return new Scope(proof, null, List.of());
        }
    }

    private CompletionStage<Scope> scope(Attempt attempt) {
        if (attempt.exitSource() == ExitSource.NOT_STARTED && attempt.identity() == null) {
            return CompletableFuture.completedFuture(Scope.gone("no child was started"));
        }
        if (attempt.exitSource() == ExitSource.RECONCILE && attempt.identity() == null) {
            // Without an identity only another boot proves absence, and that of every process.
            return CompletableFuture.completedFuture(Scope.gone("the machine was started again"));
        }
        if (attempt.requiredCleanup() == Capability.DIRECT_PROCESS) {
            return CompletableFuture.completedFuture(Scope.gone(
                    attempt.exitSource() == ExitSource.RUNNER
                            ? "the child's exit was observed"
                            : "the child's absence is proven"));
        }
        return gateway.call(processes -> processes.observeScope(
                        attempt.attemptKey(), ContainerAttempts.supervised(attempt), attempt.identity()))
                .handleAsync(
                        (observation, failure) -> {
                            if (failure != null) {
                                throw Failures.unwrap(failure);
                            }
                            return observation.gone()
                                    ? Scope.gone("no process of the scope answers")
                                    : new Scope(null, observation.reason(), observation.survivors());
                        },
                        executor);
    }

    /** Exited and complete are final, so that a read without a lock proves them; a refusal is decided on the locked row. */
    private Attempt admitted(Attempt recorded) {
        Step read = AttemptSteps.mayCleanUp(recorded);
        boolean settled = !read.changed() && read.refusal() == null;
        return settled
                ? recorded
                : changes.apply(recorded.attemptId(), AttemptSteps::mayCleanUp).attempt();
    }

    private Attempt refuse(Attempt attempt, String reason, List<Long> survivors) {
        return changes.apply(
                        attempt.attemptId(),
                        current -> AttemptSteps.cleanupRefused(current, reason, survivors, clock.instant()))
                .attempt();
    }

    private Attempt remove(Attempt attempt, String scope) {
        String proof = containers.absent(attempt, scope);
        FaultPoint.CLEANUP_PROVEN.hit();
        ends.bringHome(attempt);
        boolean settled = ends.settlePreparers(attempt);
        try {
            homes.removeAttemptHome(attempt);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the home of attempt key " + attempt.attemptKey() + " stays", e);
            return failed(attempt, "home");
        }
        if (!settled) {
            return failed(attempt, "preparer");
        }
        FaultPoint.CLEANUP_HOME_REMOVED.hit();
        Attempt complete = changes.apply(
                        attempt.attemptId(), current -> AttemptSteps.cleanedUp(current, proof, clock.instant()))
                .attempt();
        FaultPoint.CLEANUP_RECORDED.hit();
        if (complete.identity() != null) {
            forget(complete);
        }
        return complete;
    }

    private Attempt failed(Attempt attempt, String phase) {
        return changes.apply(
                        attempt.attemptId(), current -> AttemptSteps.cleanupFailed(current, phase, clock.instant()))
                .attempt();
    }

    /** What the supervisor keeps of a cleaned attempt is dropped; the sweep repeats what was lost. */
    private void forget(Attempt complete) {
        gateway.call(processes -> processes.forget(complete.attemptKey(), complete.nonce()))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        LOG.log(Level.FINE, "the supervisor did not answer a forget", failure);
                    }
                });
    }
}
