package org.berth.placement.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.berth.access.Caller;
import org.berth.placement.Attempt;
import org.berth.placement.AttemptSteps;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.placement.ExecutionState;
import org.berth.placement.Exit;
import org.berth.placement.ProcessEvent;
import org.berth.placement.RunnerStatus;
import org.berth.placement.Step;
import org.berth.placement.StopMode;
import org.berth.placement.Wire;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Brings what is recorded about an attempt in line with what is observed, and keeps uncertainty where nothing is
 * proven. The sweep, the recovery after a crash and a caller's reconcile take this one path. Source: placement.md,
 * reconcile and Identity.
 */
@ApplicationScoped
public class ReconcileService {
    @Resource
    private ManagedExecutorService executor;

    @Inject
    private AttemptReader reader;

    @Inject
    private AttemptChanges changes;

    @Inject
    private LaunchAuthorities authorities;

    @Inject
    private ProcessesGateway gateway;

    @Inject
    private StartService starts;

    @Inject
    private StopService stops;

    @Inject
    private LiveStreams streams;

    @Inject
    private ContainerAttempts containers;

    @Inject
    private Clock clock;

    /** Records what was observed, also when it only confirms. */
    public CompletionStage<Attempt> reconcile(Caller caller, String attemptId) {
        Attempt recorded = reader.ours(caller, attemptId);
        if (isHeldByConfiguration(recorded) && !caller.isOperator()) {
            throw new BerthException(
                    ProblemCode.UNCERTAIN,
                    "whether the launch's configuration is on the disk is not known; an operator looks at the session's"
                            + " home and reconciles the attempt then");
        }
        return observed(recorded, true);
    }

    /** As a sweep and a recovery do; what needs an inspection stays as it is. */
    CompletionStage<Attempt> reconcile(Attempt recorded) {
        return isHeldByConfiguration(recorded)
                ? CompletableFuture.completedFuture(recorded)
                : observed(recorded, false);
    }

    /** Nobody goes on by himself where a file's way to the disk is unknown. Source: placement.md, Start, step 4. */
    private boolean isHeldByConfiguration(Attempt recorded) {
        return recorded.executionState() == ExecutionState.UNCERTAIN
                && recorded.identity() == null
                && reader.hasEvidence(recorded.attemptId(), EvidenceKind.CONFIGURATION_UNCERTAIN);
    }

    /** {@code confirming}: also record an observation that changes nothing. */
    private CompletionStage<Attempt> observed(Attempt recorded, boolean confirming) {
        boolean nothingToObserve = recorded.executionState() == ExecutionState.INTENDED
                || recorded.executionState() == ExecutionState.EXITED
                || starts.isUnderWay(recorded.attemptId());
        if (nothingToObserve) {
            return CompletableFuture.completedFuture(recorded);
        }
        return observe(recorded)
                .handleAsync(
                        (status, failure) -> {
                            if (failure != null) {
                                return unobserved(recorded, confirming, Failures.unwrap(failure));
                            }
                            return enforceAuthorities(
                                    conclude(recorded, containers.joined(recorded, status), confirming));
                        },
                        executor);
    }

    /** What the supervisor sees now; changes nothing. */
    public CompletionStage<RunnerStatus> observe(Attempt attempt) {
        return gateway.call(processes -> processes.status(attempt.attemptKey(), attempt.nonce(), attempt.identity()));
    }

    private Attempt unobserved(Attempt recorded, boolean confirming, BerthException failure) {
        if (confirming) {
            changes.apply(
                    recorded.attemptId(),
                    current -> AttemptSteps.observed(
                            current,
                            EvidenceKind.RECONCILE_UNOBSERVED,
                            Map.of("reason", "no supervisor answered"),
                            clock.instant()));
        }
        throw failure;
    }

    private Attempt conclude(Attempt recorded, RunnerStatus status, boolean confirming) {
        Attempt after = changes.apply(recorded.attemptId(), current -> decide(current, status, confirming))
                .attempt();
        streams.observed(after);
        return after;
    }

    private Step decide(Attempt current, RunnerStatus status, boolean confirming) {
        if (current.executionState() == ExecutionState.EXITED) {
            return Step.keep(current);
        }
        return switch (status.state()) {
            case SPAWNING -> Step.keep(current);
            case RUNNING -> {
                Step started = status.identity() == null
                        ? Step.keep(current)
                        : AttemptSteps.started(current, status.identity(), null, clock.instant());
                yield started.changed() || !confirming
                        ? started
                        : AttemptSteps.observed(
                                current, EvidenceKind.RECONCILE_SUPERVISED, detail(status), clock.instant());
            }
            case EXITED -> exited(current, status);
            case NOT_STARTED ->
                current.identity() == null
                        ? AttemptSteps.notStarted(
                                current,
                                Evidence.of(
                                        clock.instant(),
                                        EvidenceKind.RECONCILE_ABSENT,
                                        Map.of("proof", "the supervisor's journal has no spawn of it")),
                                clock.instant())
                        : Step.keep(current);
            case UNCERTAIN -> unsupervised(current, status, confirming);
        };
    }

    private Step exited(Attempt current, RunnerStatus status) {
        if (status.lastEventSequence() > current.recordedEvents()) {
            // Its journalled event is on the way and carries the exit with its time.
            return Step.keep(current);
        }
        if (status.exit() instanceof Exit.Unknown unknown) {
            return AttemptSteps.absent(current, unknown.reason(), clock.instant());
        }
        ProcessEvent event = new ProcessEvent(
                current.attemptKey(),
                current.nonce(),
                current.recordedEvents() + 1,
                clock.instant(),
                EvidenceKind.CHILD_EXITED,
                Map.of("told_by", "status"),
                status.exit());
        Step step = AttemptSteps.event(current, event, status.identity(), clock.instant());
        return new Step(
                step.attempt().change().recordedEvents(current.recordedEvents()).apply(),
                step.changed(),
                step.evidence(),
                null);
    }

    private Step unsupervised(Attempt current, RunnerStatus status, boolean confirming) {
        if (status.identity() != null && current.identity() != null) {
            return confirming
                    ? AttemptSteps.observed(current, EvidenceKind.RECONCILE_ALIVE, detail(status), clock.instant())
                    : Step.keep(current);
        }
        if (current.executionState() == ExecutionState.UNCERTAIN && !confirming) {
            return Step.keep(current);
        }
        return AttemptSteps.uncertain(
                current,
                Evidence.of(
                        clock.instant(),
                        EvidenceKind.RECONCILE_UNIDENTIFIED,
                        Map.of("reason", "no identity is recorded and the supervisor cannot tell")),
                clock.instant());
    }

    private static Map<String, Object> detail(RunnerStatus status) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("observed", Wire.name(status.state()));
        if (status.identity() != null) {
            detail.put("pid", status.identity().pid());
            detail.put("start_ticks", status.identity().startTicks());
        }
        return detail;
    }

    private Attempt enforceAuthorities(Attempt attempt) {
        boolean live = attempt.executionState() == ExecutionState.RUNNING
                || attempt.executionState() == ExecutionState.STARTING;
        if (!live) {
            return attempt;
        }
        LaunchAuthorities.Lost lost = authorities.lost(attempt).orElse(null);
        if (lost == null) {
            return attempt;
        }
        changes.apply(
                attempt.attemptId(),
                current -> AttemptSteps.observed(
                        current,
                        lost.revoked(),
                        Map.of("reason", lost.problem().getMessage(), "enforcement", "pending"),
                        clock.instant()));
        try {
            return stops.stop(attempt.attemptId(), StopMode.COOPERATIVE)
                    .toCompletableFuture()
                    .join();
        } catch (java.util.concurrent.CompletionException e) {
            throw Failures.unwrap(e);
        }
    }

    /** An attempt that is recorded as stopping gets its order again, should it have been lost with a server. */
    CompletionStage<Attempt> repeatStop(Attempt attempt) {
        boolean wanted = attempt.executionState() == ExecutionState.STOPPING
                && attempt.identity() != null
                && attempt.stopRequested() != null;
        return wanted ? stops.order(attempt, attempt.stopRequested()) : CompletableFuture.completedFuture(attempt);
    }
}
