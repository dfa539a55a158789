package org.berth.placement.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.container.ContainerMount;
import org.berth.container.ContainerPlan;
import org.berth.container.ContainerRecord;
import org.berth.container.ContainerSettings;
import org.berth.container.ContainerState;
import org.berth.container.service.ContainerBackend;
import org.berth.files.PrivateFiles;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.AttemptSteps;
import org.berth.placement.Capability;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.placement.ExecutionState;
import org.berth.placement.Exit;
import org.berth.placement.ExitObservation;
import org.berth.placement.HostMeasurement;
import org.berth.placement.PrepareRequest;
import org.berth.placement.ProcessEvent;
import org.berth.placement.ResolvedResource;
import org.berth.placement.ResourceAccess;
import org.berth.placement.RunnerState;
import org.berth.placement.RunnerStatus;
import org.berth.placement.SpawnOrder;
import org.berth.placement.Step;
import org.berth.placement.StopMode;
import org.berth.placement.Wire;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Attempts in containers, where their life differs from that of native ones: what runs under the supervisor is the
 * engine's client, and the container tells the exit, takes the signals and must be proven absent. Everything else is the
 * native path. Source: placement.md, Container backend.
 */
@ApplicationScoped
public class ContainerAttempts {
    private static final Logger LOG = Logger.getLogger(ContainerAttempts.class.getName());

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Host host;

    @Inject
    private ContainerBackend backend;

    @Inject
    private ResourceAuthority authority;

    @Inject
    private AttemptChanges changes;

    @Inject
    private Clock clock;

    /** Attempts whose cooperative stop the engine carries out right now. */
    private final Set<String> stopping = ConcurrentHashMap.newKeySet();

    /** Whether launches of a policy of this host's file run in containers. What the server places itself does not. */
    boolean selectedFor(String policyRef) {
        return host.policy().placement() != HostPolicy.Placement.NATIVE && !InternalAdmission.POLICY.equals(policyRef);
    }

    /** Whether a recorded attempt runs in a container: its executable is one of an image. */
    static boolean isContained(Attempt attempt) {
        return !attempt.executablePath().startsWith("/");
    }

    /** The scope that the supervisor can prove of an attempt; of one in a container that of its client. */
    static Capability supervised(Attempt attempt) {
        return isContained(attempt) && attempt.requiredCleanup() == Capability.CONTAINED_TREE
                ? Capability.PROCESS_GROUP
                : attempt.requiredCleanup();
    }

    /** What is recorded as the executable of a launch in a container, since it is none of the host's files. */
    String executable(PrepareRequest request) {
        if (request.executable() != null) {
            throw new BerthException(
                    ProblemCode.UNSUPPORTED_CAPABILITY,
                    "executable is measured on the host; a launch in a container is pinned by its image");
        }
        return Wire.name(host.policy().placement()) + ":" + request.launch().executable();
    }

    /** What containers prove, on top of what was measured natively. @throws BerthException UNAVAILABLE */
    HostMeasurement measured(HostMeasurement measured) {
        return new HostMeasurement(
                Capability.CONTAINED_TREE,
                ExitObservation.INDEPENDENT,
                backend.version(),
                null,
                true,
                measured.kernel());
    }

    /** @throws BerthException INVALID for directories that no container can have, DENIED for those of Berth's own state */
    void requireMountable(PrepareRequest request, List<ResolvedResource> resources) {
        // The home does not exist yet; its place cannot overlap anything but the state root, which is refused anyway.
        ContainerMount.plan(host.layout().attemptHome("0".repeat(32)), admitted(request, resources));
    }

    private List<ContainerMount> admitted(PrepareRequest request, List<ResolvedResource> resources) {
        List<ContainerMount> mounts = new ArrayList<>();
        for (ResolvedResource resource : resources) {
            if (resource.name().equals(request.launch().homeRef())) {
                continue;
            }
            Path path = PhysicalPaths.directory(resource)
                    .orElseThrow(() -> BerthException.invalid("resources: '" + resource.name()
                            + "' must be an existing directory inside its grant to be mounted in a container"));
            if (authority.reachesStateRoot(path)) {
                throw new BerthException(
                        ProblemCode.DENIED, "resources: '" + resource.name() + "' reaches Berth's own state");
            }
            mounts.add(new ContainerMount(resource.name(), path, resource.access() == ResourceAccess.WRITE));
        }
        return mounts;
    }

    /**
     * Creates the attempt's container and answers the order of its client; a native attempt's order stays.
     *
     * @param done takes the evidence
     * @throws BerthException when there will be no container
     */
    SpawnOrder order(Attempt attempt, PrepareRequest request, SpawnOrder launch, List<Evidence> done) {
        if (!isContained(attempt)) {
            return launch;
        }
        ContainerSettings settings = host.policy().container();
        String prefix = Wire.name(host.policy().placement()) + ":";
        if (!attempt.executablePath().startsWith(prefix)) {
            throw new BerthException(
                    ProblemCode.DENIED,
                    "this host's placement changed since the attempt was prepared; prepare another");
        }
        Path home = Path.of(launch.environment().get("HOME"));
        Map<String, String> environment = new LinkedHashMap<>(launch.environment());
        environment.put("BERTH_ATTEMPT_KEY", attempt.attemptKey());
        ContainerPlan plan = ContainerPlan.of(
                attempt,
                attempt.executablePath().substring(prefix.length()),
                launch,
                settings,
                environment,
                mounts(attempt, request, home, Path.of(launch.workingDirectory())));
        if (plan.inputFromFile()) {
            write(home.resolve(ContainerPlan.INPUT), launch.stdin());
        }
        ContainerBackend.Made made =
                backend.create(attempt, plan, host.layout().attemptDirectory(attempt.attemptKey()));
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("engine", made.record().engine());
        detail.put("name", made.record().name());
        detail.put("container", made.record().containerId());
        detail.put("image", made.record().imageId());
        detail.put("mounts", (long) plan.mounts().size());
        detail.put("warnings", (long) made.warnings());
        done.add(Evidence.of(clock.instant(), EvidenceKind.CONTAINER_CREATED, detail));
        return backend.client(made.record(), plan, launch);
    }

    /** A working directory that a preparer made, outside of what was granted, is mounted too. */
    private List<ContainerMount> mounts(Attempt attempt, PrepareRequest request, Path home, Path directory) {
        List<ContainerMount> admitted = new ArrayList<>(admitted(request, attempt.resources()));
        boolean inside =
                directory.startsWith(home) || admitted.stream().anyMatch(mount -> directory.startsWith(mount.path()));
        if (!inside) {
            admitted.add(new ContainerMount("working directory", directory, true));
        }
        return ContainerMount.plan(home, admitted);
    }

    private static void write(Path file, byte[] input) {
        try {
            PrivateFiles.write(file, input == null ? new byte[0] : input);
        } catch (IOException e) {
            throw new BerthException(ProblemCode.STORAGE, "the launch's input could not be written to its home", e);
        }
    }

    /**
     * An exit of a client is an exit of the attempt only together with the container's own. @throws BerthException
     * UNAVAILABLE while that is not known; the event then comes again
     */
    ProcessEvent joined(ProcessEvent event) {
        Optional<ContainerRecord> record = event.exit() == null ? Optional.empty() : backend.find(event.attemptKey());
        if (record.isEmpty()) {
            return event;
        }
        ContainerBackend.Settled settled = settled(record.get(), event.exit());
        Map<String, String> detail = new LinkedHashMap<>(event.detail());
        detail.put("container", record.get().containerId());
        detail.put("client", word(event.exit()));
        return new ProcessEvent(
                event.attemptKey(), event.nonce(), event.sequence(), event.at(), event.kind(), detail, settled.exit());
    }

    private ContainerBackend.Settled settled(ContainerRecord record, Exit client) {
        try {
            ContainerBackend.Settled settled = backend.settle(record, client instanceof Exit.Exited);
            if (settled.killed()) {
                observed(record.attemptId(), EvidenceKind.CONTAINER_KILLED, record, "its client was gone");
            }
            return settled;
        } catch (BerthException unknown) {
            changes.apply(
                    record.attemptId(),
                    current -> current.executionState() == ExecutionState.UNCERTAIN
                            ? Step.keep(current)
                            : AttemptSteps.uncertain(
                                    current,
                                    Evidence.of(
                                            clock.instant(),
                                            EvidenceKind.RECONCILE_UNOBSERVED,
                                            Map.of("reason", "the client is gone and the engine does not answer")),
                                    clock.instant()));
            throw unknown;
        }
    }

    private void observed(String attemptId, EvidenceKind kind, ContainerRecord record, String reason) {
        changes.apply(
                attemptId,
                current -> AttemptSteps.observed(
                        current, kind, Map.of("container", record.containerId(), "reason", reason), clock.instant()));
    }

    private static String word(Exit exit) {
        return switch (exit) {
            case Exit.Exited exited -> "code " + exited.code();
            case Exit.Signalled signalled -> "signal " + signalled.signal();
            case Exit.Unknown unknown -> "unknown";
        };
    }

    /** The supervisor's status with the container's own end in place of its client's. Blocks. */
    RunnerStatus joined(Attempt attempt, RunnerStatus status) {
        Optional<ContainerRecord> record = isContained(attempt) ? backend.find(attempt.attemptKey()) : Optional.empty();
        if (record.isEmpty()) {
            return status;
        }
        return switch (status.state()) {
            case EXITED -> ended(status, settled(record.get(), status.exit()).exit());
            case RUNNING -> {
                backend.observe(record.get());
                yield status;
            }
            case UNCERTAIN -> {
                // Without a client that is known to live, only a container that is over tells anything.
                boolean over = status.identity() == null
                        && backend.observe(record.get())
                                .map(ContainerState::ended)
                                .orElse(true);
                yield over
                        ? ended(
                                status,
                                settled(record.get(), new Exit.Unknown("")).exit())
                        : status;
            }
            case SPAWNING, NOT_STARTED -> status;
        };
    }

    private static RunnerStatus ended(RunnerStatus status, Exit exit) {
        return new RunnerStatus(
                status.attemptKey(),
                status.nonce(),
                RunnerState.EXITED,
                status.identity(),
                exit,
                status.generation(),
                status.streamsOpen(),
                status.unacknowledged(),
                status.spooledBytes(),
                status.lastEventSequence());
    }

    /**
     * Sends the recorded stop to the attempt's running container, which answers for its client too; {@code supervised}
     * stops what has none.
     */
    CompletionStage<Attempt> stop(
            Attempt attempt, StopMode mode, int graceMillis, Supplier<CompletionStage<Attempt>> supervised) {
        Optional<ContainerRecord> record = isContained(attempt) ? backend.find(attempt.attemptKey()) : Optional.empty();
        if (record.isEmpty() || record.get().containerId() == null) {
            return supervised.get();
        }
        return CompletableFuture.supplyAsync(() -> signal(attempt, record.get(), mode, graceMillis), executor)
                .thenCompose(sent -> sent
                        ? CompletableFuture.completedFuture(
                                changes.apply(attempt.attemptId(), Step::keep).attempt())
                        : supervised.get());
    }

    /** Whether the engine has the stop in its hands. */
    private boolean signal(Attempt attempt, ContainerRecord record, StopMode mode, int graceMillis) {
        boolean running;
        try {
            running = backend.observe(record)
                    .filter(state -> !state.ended() && !state.neverStarted())
                    .isPresent();
        } catch (BerthException e) {
            LOG.log(Level.FINE, "the engine could not be asked about a stop", e);
            return false;
        }
        if (!running) {
            return false;
        }
        if (mode == StopMode.FORCED) {
            observed(attempt.attemptId(), EvidenceKind.SIGNAL_KILL, record, "a forced stop, by the engine");
            backend.kill(record, record.containerId());
            return true;
        }
        if (stopping.add(attempt.attemptKey())) {
            observed(attempt.attemptId(), EvidenceKind.SIGNAL_TERM, record, "a stop, by the engine");
            executor.execute(() -> {
                try {
                    backend.stop(record, record.containerId(), graceMillis);
                } catch (BerthException e) {
                    LOG.log(Level.WARNING, "the engine did not confirm a stop; the sweep repeats it", e);
                } finally {
                    stopping.remove(attempt.attemptKey());
                }
            });
        }
        return true;
    }

    /**
     * Removes the container and proves it absent, on top of what was proven of its client.
     *
     * @return the proof; {@code client} for an attempt without a container
     */
    String absent(Attempt attempt, String client) {
        Optional<ContainerRecord> record = isContained(attempt) ? backend.find(attempt.attemptKey()) : Optional.empty();
        if (record.isEmpty()) {
            return client;
        }
        String proof = removed(attempt, record.get());
        if (attempt.sessionKey() != null) {
            removeInput(host.layout().sessionHome(attempt.sessionKey()));
        }
        changes.apply(
                attempt.attemptId(),
                current -> AttemptSteps.observed(
                        current, EvidenceKind.CONTAINER_REMOVED, Map.of("proof", proof), clock.instant()));
        return client + "; " + proof;
    }

    private String removed(Attempt attempt, ContainerRecord record) {
        try {
            return backend.remove(record);
        } catch (BerthException e) {
            if (e.code() == ProblemCode.CONFLICT) {
                changes.apply(
                        attempt.attemptId(),
                        current -> AttemptSteps.cleanupRefused(
                                current, "the container is not proven absent", List.of(), clock.instant()));
            }
            throw e;
        }
    }

    private static void removeInput(Path home) {
        try {
            Files.deleteIfExists(home.resolve(ContainerPlan.INPUT));
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the input of an ended launch stays in its session's home", e);
        }
    }

    /** What capabilities say of containers. Empty under native placement. */
    Map<String, Object> published() {
        HostPolicy policy = host.policy();
        if (policy.placement() == HostPolicy.Placement.NATIVE) {
            return Map.of();
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        try {
            tree.put("engine", backend.version());
        } catch (BerthException e) {
            tree.put("engine", null);
            tree.put("reason", e.getMessage());
        }
        tree.put("image", policy.container().image());
        tree.put("capability", Wire.name(Capability.CONTAINED_TREE));
        return tree;
    }
}
