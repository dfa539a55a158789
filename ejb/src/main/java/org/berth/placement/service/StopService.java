package org.berth.placement.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.berth.access.Caller;
import org.berth.fault.FaultPoint;
import org.berth.placement.Attempt;
import org.berth.placement.AttemptSteps;
import org.berth.placement.CleanupState;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.placement.ExecutionState;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.Step;
import org.berth.placement.StopMode;
import org.berth.placement.StopOutcome;

/**
 * Stops an attempt: the wish is recorded first, then ordered from the supervisor, which signals and escalates by
 * itself. Source: placement.md, stop.
 */
@ApplicationScoped
public class StopService {
    @Resource
    private ManagedExecutorService executor;

    @Inject
    private AttemptReader reader;

    @Inject
    private AttemptChanges changes;

    @Inject
    private ProcessesGateway gateway;

    @Inject
    private LiveStreams streams;

    @Inject
    private ContainerAttempts containers;

    @Inject
    private Clock clock;

    /** Answers once the supervisor has journalled the order; the exit follows as evidence. */
    public CompletionStage<Attempt> stop(Caller caller, String attemptId, StopMode mode) {
        Attempt recorded = reader.ours(caller, attemptId);
        return stop(attemptId, mode);
    }

    /** On behalf of the server itself. */
    CompletionStage<Attempt> stop(String attemptId, StopMode mode) {
        Step step = changes.apply(attemptId, attempt -> AttemptSteps.stop(attempt, mode, clock.instant()));
        FaultPoint.STOP_RECORDED.hit();
        Attempt attempt = step.attempt();
        if (attempt.cleanupState() == CleanupState.COMPLETE) {
            streams.ended(attempt);
            return CompletableFuture.completedFuture(attempt);
        }
        return order(attempt, attempt.stopRequested() == null ? mode : attempt.stopRequested());
    }

    /** Sends the recorded stop; a stop that cannot be proven leaves its evidence. */
    CompletionStage<Attempt> order(Attempt attempt, StopMode mode) {
        int grace = StoredRequest.of(attempt).timeouts().stopGraceMs();
        return containers.stop(attempt, mode, grace, () -> supervised(attempt, mode, grace));
    }

    private CompletionStage<Attempt> supervised(Attempt attempt, StopMode mode, int grace) {
        return gateway.call(processes ->
                        processes.stop(attempt.attemptKey(), attempt.nonce(), mode, grace, attempt.identity()))
                .handleAsync(
                        (outcome, failure) -> {
                            FaultPoint.STOP_ORDERED.hit();
                            if (failure != null) {
                                throw Failures.unwrap(failure);
                            }
                            return conclude(attempt, outcome);
                        },
                        executor);
    }

    /** Ends a child that came to be although the attempt was already recorded as never started. */
    void endUnrecorded(Attempt attempt, ProcessIdentity identity) {
        changes.apply(
                attempt.attemptId(),
                current -> AttemptSteps.observed(
                        current,
                        EvidenceKind.STOP_REQUESTED,
                        Map.of("mode", "forced", "reason", "a child appeared after the start was given up"),
                        clock.instant()));
        gateway.call(processes -> processes.stop(attempt.attemptKey(), attempt.nonce(), StopMode.FORCED, 0, identity));
    }

    private Attempt conclude(Attempt attempt, StopOutcome outcome) {
        boolean spawnIsStillToCome = attempt.identity() == null && outcome == StopOutcome.UNKNOWN_ATTEMPT;
        if (spawnIsStillToCome
                || outcome == StopOutcome.ACCEPTED
                || outcome == StopOutcome.NOTHING_LEFT
                || attempt.executionState() == ExecutionState.EXITED) {
            return changes.apply(attempt.attemptId(), Step::keep).attempt();
        }
        return changes.apply(
                        attempt.attemptId(),
                        current -> AttemptSteps.uncertain(
                                current,
                                Evidence.of(
                                        clock.instant(),
                                        EvidenceKind.STOP_UNPROVEN,
                                        Map.of("reason", "the process could not be identified alive")),
                                clock.instant()))
                .attempt();
    }
}
