package org.berth.placement.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
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
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.AttemptSteps;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.placement.ExecutionState;
import org.berth.placement.ExitSource;
import org.berth.placement.PrepareRequest;
import org.berth.placement.ProcessEvent;
import org.berth.placement.RecipientKind;
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
    private AttemptHomes homes;

    @Inject
    private ResourceAuthority authority;

    @Inject
    private LaunchEnvironment environment;

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

    /** A refusal inside the start, with the evidence that records it. */
    private static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Evidence evidence;
        private final transient BerthException problem;

        Refusal(Evidence evidence, BerthException problem) {
            super(problem.getMessage(), problem);
            this.evidence = evidence;
            this.problem = problem;
        }
    }

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
        recheckGrants(recorded);
        String runner = UUID.randomUUID().toString();
        underWay.begin(attemptId);
        try {
            Step claim = changes.apply(attemptId, attempt -> AttemptSteps.claim(attempt, runner, clock.instant()));
            if (!claim.changed()) {
                underWay.end(attemptId);
                return CompletableFuture.completedFuture(claim.attempt());
            }
            FaultPoint.START_CLAIMED.hit();
            return spawn(claim.attempt(), request, runner)
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

    private void recheckGrants(Attempt attempt) {
        try {
            authority.recheck(attempt, clock.instant());
        } catch (BerthException refused) {
            changes.apply(
                    attempt.attemptId(),
                    current -> AttemptSteps.observed(
                            current,
                            EvidenceKind.GRANT_REFUSED,
                            Map.of("reason", refused.getMessage()),
                            clock.instant()));
            throw refused;
        }
    }

    private CompletableFuture<Attempt> spawn(Attempt claimed, PrepareRequest request, String runner) {
        List<Evidence> done = new ArrayList<>();
        SpawnOrder order;
        try {
            order = materialise(claimed, request, done);
        } catch (Refusal refusal) {
            Attempt ended = notStarted(claimed.attemptId(), done, refusal.evidence);
            streams.ended(ended);
            throw refusal.problem;
        }
        if (!ledger.find(claimed.attemptId())
                .map(now -> AttemptSteps.mayGoOn(now, runner))
                .orElse(false)) {
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

    private SpawnOrder materialise(Attempt attempt, PrepareRequest request, List<Evidence> done) throws Refusal {
        Path home = home(attempt, request, done);
        FaultPoint.START_HOME_CREATED.hit();
        Map<String, String> variables;
        try {
            variables = environment.of(request, home);
        } catch (BerthException e) {
            throw new Refusal(
                    Evidence.of(clock.instant(), EvidenceKind.ENVIRONMENT_FAILED, Map.of("reason", e.getMessage())), e);
        }
        Path directory = workingDirectory(attempt, request, home);
        PrepareRequest.Launch launch = request.launch();
        SpawnOrder.Log log = request.output().recipient() == RecipientKind.LOG
                ? new SpawnOrder.Log(
                        host.layout().outputDirectory(attempt.attemptKey()).toString(),
                        request.output().truncation())
                : null;
        HostPolicy.Output buffer = host.policy().output();
        return new SpawnOrder(
                attempt.attemptKey(),
                attempt.nonce(),
                attempt.executablePath(),
                launch.argv(),
                variables,
                directory.toString(),
                launch.window(),
                launch.stdin() == null ? null : launch.stdin().getBytes(java.nio.charset.StandardCharsets.UTF_8),
                launch.stdinEof(),
                attempt.requiredCleanup(),
                request.timeouts().drainMs(),
                request.timeouts().retainMs(),
                log,
                request.executable(),
                attempt.attachmentGeneration(),
                new SpawnOrder.Buffer(buffer.outstandingChunks(), buffer.spoolBytes()));
    }

    private Path home(Attempt attempt, PrepareRequest request, List<Evidence> done) throws Refusal {
        try {
            Path own = homes.createAttemptHome(attempt);
            done.add(Evidence.of(clock.instant(), EvidenceKind.HOME_CREATED, Map.of("key", attempt.attemptKey())));
            if (attempt.sessionKey() != null) {
                Path session = homes.createSessionHome(attempt);
                done.add(Evidence.of(
                        clock.instant(), EvidenceKind.SESSION_ATTACHED, Map.of("key", attempt.sessionKey())));
                return session;
            }
            if (request.launch().homeRef() != null) {
                return directory(attempt, request.launch().homeRef(), "launch.home_ref");
            }
            return own;
        } catch (IOException e) {
            EvidenceKind kind = done.isEmpty() ? EvidenceKind.HOME_FAILED : EvidenceKind.SESSION_FAILED;
            throw new Refusal(
                    Evidence.of(clock.instant(), kind, Map.of("reason", "the private directory could not be made")),
                    new BerthException(
                            ProblemCode.STORAGE, "the attempt's private home could not be made on this host", e));
        }
    }

    private Path workingDirectory(Attempt attempt, PrepareRequest request, Path home) throws Refusal {
        String reference = request.launch().workingDirectoryRef();
        return reference == null ? home : directory(attempt, reference, "launch.working_directory_ref");
    }

    private Path directory(Attempt attempt, String resourceName, String field) throws Refusal {
        Path found = attempt.resources().stream()
                .filter(resource -> resource.name().equals(resourceName))
                .findFirst()
                .flatMap(PhysicalPaths::directory)
                .orElse(null);
        if (found == null || authority.reachesStateRoot(found)) {
            BerthException problem = new BerthException(
                    ProblemCode.DENIED,
                    field + " leads to no directory inside its grant; the directory must exist when the attempt"
                            + " starts");
            throw new Refusal(
                    Evidence.of(
                            clock.instant(),
                            EvidenceKind.WORKDIR_FAILED,
                            Map.of("resource", resourceName, "reason", problem.getMessage())),
                    problem);
        }
        return found;
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
                        current -> prepend(
                                done,
                                AttemptSteps.uncertain(
                                        current,
                                        Evidence.of(
                                                clock.instant(),
                                                EvidenceKind.RECONCILE_UNIDENTIFIED,
                                                Map.of("reason", undecided.sentence())),
                                        clock.instant())));
                throw new BerthException(
                        ProblemCode.UNCERTAIN, "whether the child was started is not known; reconcile the attempt");
            }
        };
    }

    /** With the events that overtook it, in one commit. */
    private Attempt recordStart(Attempt claimed, List<Evidence> done, SpawnOutcome.Spawned spawned) {
        List<ProcessEvent> overtaking = receipts.take(claimed.attemptKey());
        Attempt recorded = changes.apply(claimed.attemptId(), current -> {
                    Step step = prepend(
                            done,
                            AttemptSteps.started(current, spawned.identity(), spawned.measured(), clock.instant()));
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
                        attemptId, current -> prepend(done, AttemptSteps.notStarted(current, phase, clock.instant())))
                .attempt();
    }

    private static Step prepend(List<Evidence> earlier, Step step) {
        if (!step.changed() || earlier.isEmpty()) {
            return step;
        }
        List<Evidence> all = new ArrayList<>(earlier);
        all.addAll(step.evidence());
        return new Step(step.attempt(), true, List.copyOf(all), step.refusal());
    }

    /** Both steps as one. */
    private static Step after(Step earlier, Step later) {
        if (!later.changed()) {
            return earlier;
        }
        return prepend(earlier.evidence(), later);
    }
}
