package org.berth.placement.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.berth.access.Caller;
import org.berth.fault.FaultPoint;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.AttemptSteps;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.placement.ExecutionState;
import org.berth.placement.ExitSource;
import org.berth.placement.PrepareRequest;
import org.berth.placement.ProcessEvent;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.Step;
import org.berth.placement.StopMode;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Starts an admitted attempt: claim, home, environment, spawn, identity. Idempotent by state: a started attempt
 * answers itself. Source: placement.md, Start, in order.
 */
@ApplicationScoped
public class StartService {
    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Host host;

    @Inject
    private AttemptReader reader;

    @Inject
    private AttemptChanges changes;

    @Inject
    private AttemptLedger ledger;

    @Inject
    private LaunchAuthorities authorities;

    @Inject
    private LaunchMaterialiser launches;

    @Inject
    private ProcessesGateway gateway;

    @Inject
    private EventRecorder events;

    @Inject
    private StartReceipts receipts;

    @Inject
    private ContainerAttempts containers;

    @Inject
    private StopService stops;

    @Inject
    private LiveStreams streams;

    @Inject
    private Clock clock;

    private final StartsUnderWay underWay = new StartsUnderWay();

    /** Whether this server itself is starting the attempt right now. */
    boolean isUnderWay(String attemptId) {
        return underWay.contains(attemptId);
    }

    /** Fails with the authority's code, UNAVAILABLE, UNCERTAIN, or what refused the child. */
    public CompletionStage<Attempt> start(Caller caller, String attemptId) {
        Attempt recorded = reader.visible(caller, attemptId);
        if (recorded.executionState() != ExecutionState.INTENDED) {
            return CompletableFuture.completedFuture(recorded);
        }
        host.requireOurs(recorded);
        gateway.requireAvailable();
        PrepareRequest request = StoredRequest.of(recorded);
        requireAuthorities(recorded, request);
        String runner = UUID.randomUUID().toString();
        underWay.begin(attemptId);
        try {
            Step claim = changes.apply(attemptId, attempt -> AttemptSteps.claim(attempt, runner, clock.instant()));
            if (!claim.changed()) {
                underWay.end(attemptId);
                return CompletableFuture.completedFuture(claim.attempt());
            }
            FaultPoint.START_CLAIMED.hit();
            return spawnAside(claim.attempt(), request, runner)
                    .whenComplete((attempt, failure) -> underWay.end(attemptId))
                    .orTimeout(request.timeouts().startMs(), TimeUnit.MILLISECONDS)
                    .exceptionally(failure -> {
                        if (failure instanceof TimeoutException) {
                            throw new BerthException(
                                    ProblemCode.UNCERTAIN,
                                    "the start was not acknowledged within start_ms; read the attempt to see what"
                                            + " became of it");
                        }
                        throw Failures.unwrap(failure);
                    });
        } catch (RuntimeException e) {
            underWay.end(attemptId);
            throw e;
        }
    }

    private void requireAuthorities(Attempt attempt, PrepareRequest request) {
        authorities.lostBeforeStart(attempt, request).ifPresent(lost -> {
            changes.apply(
                    attempt.attemptId(),
                    current -> AttemptSteps.observed(
                            current,
                            lost.refused(),
                            Map.of("reason", lost.problem().getMessage()),
                            clock.instant()));
            throw lost.problem();
        });
    }

    /** A preparer's work, such as a worktree of a large repository, holds no request thread. */
    private CompletableFuture<Attempt> spawnAside(Attempt claimed, PrepareRequest request, String runner) {
        return request.options().isEmpty()
                ? spawn(claimed, request, runner)
                : CompletableFuture.supplyAsync(() -> spawn(claimed, request, runner), executor)
                        .thenCompose(started -> started);
    }

    private CompletableFuture<Attempt> spawn(Attempt claimed, PrepareRequest request, String runner) {
        List<Evidence> done = new ArrayList<>();
        SpawnOrder order;
        try {
            order = launches.materialise(claimed, request, () -> mayGoOn(claimed.attemptId(), runner), done);
        } catch (StartRefusal refusal) {
            refused(claimed.attemptId(), done, refusal);
            throw refusal.problem();
        }
        if (!mayGoOn(claimed.attemptId(), runner)) {
            return CompletableFuture.completedFuture(notStarted(claimed.attemptId(), done, null));
        }
        SpawnOrder placed;
        try {
            placed = containers.order(claimed, request, order, done);
        } catch (BerthException refused) {
            Evidence phase = Evidence.of(
                    clock.instant(), EvidenceKind.CHILD_START_FAILED, Map.of("reason", refused.getMessage()));
            streams.ended(notStarted(claimed.attemptId(), done, phase));
            throw refused;
        }
        FaultPoint.START_BEFORE_SPAWN.hit();
        events.expect(claimed);
        receipts.open(claimed.attemptKey(), claimed.nonce());
        try {
            return gateway.call(processes -> processes.spawn(placed))
                    .toCompletableFuture()
                    .handleAsync((outcome, failure) -> conclude(claimed, done, outcome, failure), executor)
                    .whenComplete((attempt, failure) -> receipts.close(claimed.attemptKey()));
        } catch (RuntimeException e) {
            receipts.close(claimed.attemptKey());
            throw e;
        }
    }

    /** No child exists; whether the home is as it should be may not be known. */
    private void refused(String attemptId, List<Evidence> done, StartRefusal refusal) {
        if (refusal.leavesUncertain()) {
            changes.apply(
                    attemptId,
                    current -> AttemptSteps.uncertain(current, refusal.evidence(), clock.instant())
                            .behind(done));
            return;
        }
        streams.ended(notStarted(attemptId, done, refusal.evidence()));
    }

    private boolean mayGoOn(String attemptId, String runner) {
        return ledger.find(attemptId)
                .map(now -> AttemptSteps.mayGoOn(now, runner))
                .orElse(false);
    }

    private Attempt conclude(Attempt claimed, List<Evidence> done, SpawnOutcome outcome, Throwable failure) {
        FaultPoint.START_SPAWNED.hit();
        if (failure != null) {
            return concludeFailure(claimed, done, Failures.unwrap(failure));
        }
        return switch (outcome) {
            case SpawnOutcome.Spawned spawned -> {
                Attempt running = recordStart(claimed, done, spawned);
                FaultPoint.START_RECORDED.hit();
                if (running.executionState() == ExecutionState.STOPPING) {
                    StopMode mode = running.stopRequested() == null ? StopMode.COOPERATIVE : running.stopRequested();
                    stops.order(running, mode);
                }
                if (running.exitSource() == ExitSource.NOT_STARTED) {
                    stops.endUnrecorded(running, spawned.identity());
                }
                streams.started(running);
                yield running;
            }
            case SpawnOutcome.Refused refused -> {
                BerthException problem = SpawnRefusals.problem(refused);
                Evidence phase = Evidence.of(
                        clock.instant(),
                        SpawnRefusals.kind(refused.reason()),
                        Map.of("reason", SpawnRefusals.word(refused.reason()), "sentence", refused.sentence()));
                streams.ended(notStarted(claimed.attemptId(), done, phase));
                throw problem;
            }
            case SpawnOutcome.Undecided undecided -> {
                changes.apply(
                        claimed.attemptId(),
                        current -> AttemptSteps.uncertain(
                                        current,
                                        Evidence.of(
                                                clock.instant(),
                                                EvidenceKind.RECONCILE_UNIDENTIFIED,
                                                Map.of("reason", undecided.sentence())),
                                        clock.instant())
                                .behind(done));
                throw new BerthException(
                        ProblemCode.UNCERTAIN, "whether the child was started is not known; reconcile the attempt");
            }
        };
    }

    /** With the events that overtook it, in one commit. */
    private Attempt recordStart(Attempt claimed, List<Evidence> done, SpawnOutcome.Spawned spawned) {
        List<ProcessEvent> overtaking = receipts.take(claimed.attemptKey());
        Attempt recorded = changes.apply(claimed.attemptId(), current -> {
                    Step step = AttemptSteps.started(current, spawned.identity(), spawned.measured(), clock.instant())
                            .behind(done);
                    for (ProcessEvent event : overtaking) {
                        FaultPoint.EVENT_BEFORE_COMMIT.hit();
                        step = after(
                                step, AttemptSteps.event(step.attempt(), event, spawned.identity(), clock.instant()));
                    }
                    return step;
                })
                .attempt();
        receipts.recorded(claimed.attemptKey());
        return recorded;
    }

    private Attempt concludeFailure(Attempt claimed, List<Evidence> done, BerthException failure) {
        if (failure.code() == ProblemCode.UNAVAILABLE) {
            Map<String, Object> detail = new LinkedHashMap<>();
            detail.put("reason", "the order was not sent: no supervisor was connected");
            streams.ended(notStarted(
                    claimed.attemptId(), done, Evidence.of(clock.instant(), EvidenceKind.CHILD_REFUSED, detail)));
        }
        throw failure;
    }

    private Attempt notStarted(String attemptId, List<Evidence> done, Evidence phase) {
        return changes.apply(
                        attemptId,
                        current -> AttemptSteps.notStarted(current, phase, clock.instant())
                                .behind(done))
                .attempt();
    }

    /** Both steps as one. */
    private static Step after(Step earlier, Step later) {
        if (!later.changed()) {
            return earlier;
        }
        return later.behind(earlier.evidence());
    }
}
