package org.berth.environment.podman;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.berth.engine.Engine;
import org.berth.engine.EngineHttp;
import org.berth.engine.EngineSocket;
import org.berth.environment.DependentObservation;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.EnvironmentListing;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.GuestFile;
import org.berth.environment.NativeObservation;
import org.berth.environment.ViewerCommand;
import org.berth.environment.driver.GuestReplies;
import org.berth.environment.driver.PolicyFile;
import org.berth.environment.policy.EnvironmentPolicy;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Environments of one rootless Podman. What happens inside is asked of the helper; no guest file is opened from outside.
 * For any thread. Source: environments.md, Drivers.
 */
final class PodmanDriver implements EnvironmentDriver {
    /**
     * What the engine itself started there has no parent inside: the workload's first process and the sessions that
     * carry the calls, the helper each. What an agent leaves behind falls to process 1.
     */
    private static final List<String> HELPER = List.of("0", "java");

    private static final int MOST_RUNNING = 100;

    /** A place that is asked for, and not made, to get the first reply. */
    private static final String FIRST_STAGE = EnvironmentRules.GUEST_ROOT + "/control/transfer-first";

    private final String socketPath;
    private final Surroundings around;
    private final GuestSessions sessions;
    private final PodmanObserver observer;

    /**
     * What the driver works with.
     *
     * @param uid the server's user, to whom the engine's socket must belong
     * @param host this host's name
     * @param files reads an admitted host file, no-follow and bounded
     * @param provider the variables of a provider
     * @param supervisorImage host.yaml's image of supervisors; answers null for the placement's own
     * @param helper the directory of the helper's image
     */
    record Surroundings(
            int uid,
            String host,
            Function<String, byte[]> files,
            Function<String, Map<String, String>> provider,
            Supplier<String> supervisorImage,
            Path helper,
            Clock clock) {}

    /** @param socketPath as the gateway names it */
    PodmanDriver(String socketPath, Surroundings around, GuestSessions sessions) {
        this.socketPath = socketPath;
        this.around = around;
        this.sessions = sessions;
        this.observer = new PodmanObserver(around.uid(), around.host());
    }

    /** The engine, whose socket was looked at just now. */
    private Engine engine() {
        return new Engine(new EngineHttp(
                EngineSocket.look(socketPath, around.uid(), around.host()).path()));
    }

    @Override
    public EnvironmentListing list(EnvironmentPlacement placement) {
        try {
            return new EnvironmentListing(
                    true,
                    sandboxes(engine(), placement.workspace()).stream()
                            .map(PodmanSandbox::resource)
                            .toList());
        } catch (IOException e) {
            throw Engine.unconfirmed(e);
        }
    }

    private List<PodmanSandbox> sandboxes(Engine engine, String workspace) throws IOException {
        Map<String, String> ours = Map.of(PodmanNames.MANAGED, PodmanNames.TRUE, PodmanNames.WORKSPACE, workspace);
        List<PodmanSandbox> found = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Map<String, Object> row : engine.rows("containers", "all=true&", with(ours, PodmanNames.SANDBOX))) {
            PodmanSandbox.ofRow(row, around.clock().instant()).ifPresent(each -> {
                seen.add(each.id());
                found.add(each);
            });
        }
        for (Map<String, Object> row : engine.rows("volumes", "", ours)) {
            PodmanSandbox.ofVolume(row).filter(each -> seen.add(each.id())).ifPresent(found::add);
        }
        return found;
    }

    private static Map<String, String> with(Map<String, String> labels, String role) {
        Map<String, String> all = new java.util.TreeMap<>(labels);
        all.put(PodmanNames.ROLE, role);
        return all;
    }

    @Override
    public EnvironmentResource create(String effectId, EnvironmentPlacement placement) {
        byte[] bytes = around.files().apply(placement.policy());
        if (!CanonicalJson.sha256(bytes).equals(placement.policySha256())) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_POLICY_CHANGED, "The selected policy file changed; nothing was created.");
        }
        EnvironmentPolicy policy = PolicyFile.parse(bytes);
        if (!Files.isExecutable(around.helper().resolve("bin/guest"))) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_DRIVER_UNAVAILABLE,
                    "The helper's image is not in " + around.helper() + "; an administrator installs it from the"
                            + " distribution.");
        }
        Map<String, String> provider = around.provider().apply(placement.provider());
        Engine engine = engine();
        String selected = around.supervisorImage().get();
        PodmanCreation.Parts parts = new PodmanCreation.Parts(
                effectId,
                placement,
                policy,
                provider,
                around.helper(),
                selected == null ? placement.image() : selected);
        try {
            requireImage(engine, placement.image());
            requireImage(engine, parts.supervisorImage());
            requireFree(engine, effectId, placement);
            return made(engine, parts);
        } catch (IOException e) {
            throw PodmanCreation.unconfirmed(e);
        }
    }

    private EnvironmentResource made(Engine engine, PodmanCreation.Parts parts) throws IOException {
        try {
            String container = new PodmanCreation(engine, parts).make();
            firstReply(engine, container, parts.placement());
            return inspected(engine, container)
                    .map(PodmanSandbox::resource)
                    .orElseThrow(() -> new IOException("the new container is not there"));
        } catch (BerthException e) {
            if (e.code() == ProblemCode.ENVIRONMENT_DRIVER_UNAVAILABLE) {
                new PodmanParts(engine, PodmanNames.of(parts.effectId()))
                        .remove(PodmanNames.workload(parts.placement()));
            }
            throw e;
        }
    }

    private void firstReply(Engine engine, String container, EnvironmentPlacement placement) throws IOException {
        try {
            guest(engine, container, List.of("--stage", FIRST_STAGE), null);
        } catch (BerthException e) {
            boolean ended = inspected(engine, container)
                    .filter(each -> each.phase().equals(EnvironmentRules.STOPPED))
                    .isPresent();
            if (!ended) {
                throw e;
            }
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_DRIVER_UNAVAILABLE,
                    "Berth's helper ended at once in " + placement.image() + "; it needs glibc 2.17 of this machine's"
                            + " architecture.",
                    e);
        }
    }

    private static void requireImage(Engine engine, String image) throws IOException {
        if (engine.read("images/" + Engine.encoded(image) + "/exists").status() == Engine.MISSING) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_DRIVER_UNAVAILABLE,
                    "This Podman has no image " + image + "; bring it with podman pull.");
        }
    }

    private void requireFree(Engine engine, String effectId, EnvironmentPlacement placement) throws IOException {
        for (PodmanSandbox each : sandboxes(engine, placement.workspace())) {
            if (each.name().equals(placement.name()) && !effectId.equals(each.effectId())) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_NAME_IN_USE,
                        "An environment " + placement.name() + " is in workspace " + placement.workspace()
                                + " already.");
            }
        }
    }

    @Override
    public EnvironmentResource inspect(EnvironmentBinding binding) {
        return named(engine(), binding).resource();
    }

    @Override
    public void upload(
            EnvironmentBinding binding, byte[] bytes, String destination, String previousSha256, boolean executable) {
        guest(
                binding,
                () -> true,
                bytes,
                "--put",
                destination,
                "--previous",
                previousSha256 == null ? "missing" : previousSha256,
                "--mode",
                executable ? "0700" : "0600");
    }

    @Override
    public byte[] read(EnvironmentBinding binding, String path) {
        return GuestReplies.content(guest(binding, () -> true, null, "--read", path));
    }

    @Override
    public void prepare(EnvironmentBinding binding) {
        guest(binding, () -> true, null, "--prepare");
    }

    @Override
    public NativeObservation nativeIdentity(EnvironmentBinding binding) {
        return GuestReplies.identity(guest(binding, () -> true, null, "--identity"));
    }

    @Override
    public ViewerCommand connect(EnvironmentBinding binding) {
        PodmanSandbox bound = checked(engine(), binding, true);
        return new ViewerCommand(
                List.of(
                        around.helper().resolve("bin/guest").toString(),
                        "--view-podman",
                        socketPath,
                        bound.container()),
                Map.of());
    }

    @Override
    public void stopNative(
            EnvironmentBinding binding, NativeObservation observed, String effectId, BooleanSupplier eligible) {
        guest(binding, eligible, null, "--stop-native", observed.nativeId(), "--generation", observed.generation());
    }

    @Override
    public List<GuestFile> checkpointFiles(EnvironmentBinding binding, NativeObservation observed) {
        return GuestReplies.checkpoint(guest(binding, () -> true, null, "--checkpoint-files"));
    }

    @Override
    public void stopCompute(EnvironmentBinding binding, String effectId, BooleanSupplier eligible) {
        Engine engine = engine();
        PodmanSandbox bound = checked(engine, binding, false);
        requireEligible(eligible);
        try {
            for (String container : bound.container() == null
                    ? List.of(bound.names().supervisor())
                    : List.of(bound.container(), bound.names().supervisor())) {
                Engine.Answer stopped =
                        engine.post("containers/" + Engine.encoded(container) + "/stop?timeout=2", null);
                if (!stopped.done() && stopped.status() != Engine.MISSING) {
                    throw new IOException(stopped.message());
                }
            }
        } catch (IOException e) {
            throw Engine.unconfirmed(e);
        }
        forget(bound);
    }

    @Override
    public void deleteEnvironment(EnvironmentBinding binding, String effectId, BooleanSupplier eligible) {
        Engine engine = engine();
        PodmanSandbox bound = checked(engine, binding, false);
        requireEligible(eligible);
        forget(bound);
        new PodmanParts(engine, bound.names()).remove(bound.container());
    }

    private void forget(PodmanSandbox bound) {
        if (bound.container() != null) {
            sessions.end(Path.of(socketPath), bound.container());
        }
    }

    @Override
    public String captureCleanup(EnvironmentBinding binding, String engineSocket) {
        if (engineSocket != null && !engineSocket.equals(socketPath)) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_ENGINE_CHANGED,
                    "The environment is on the engine at " + socketPath + ", not at " + engineSocket + ".");
        }
        checked(engine(), binding, false);
        return observer.capture(binding, socketPath);
    }

    @Override
    public DependentObservation cleanupState(EnvironmentBinding binding, String inventory) {
        return inventory == null ? null : observer.observe(binding, inventory);
    }

    @Override
    public List<String> unenforced(EnvironmentBinding binding) {
        String listed = named(engine(), binding).unenforced();
        if (listed == null) {
            return List.of();
        }
        return StrictJson.object("{\"all\":" + listed + "}").get("all") instanceof List<?> all
                ? all.stream().map(String::valueOf).toList()
                : List.of();
    }

    @Override
    public List<String> egressRefusals(EnvironmentBinding binding) {
        Engine engine = engine();
        PodmanSandbox bound = named(engine, binding);
        try {
            return SupervisorLog.refusals(engine, bound.names().supervisor());
        } catch (IOException e) {
            throw Engine.unconfirmed(e);
        }
    }

    @Override
    public List<String> running(EnvironmentBinding binding) {
        Engine engine = engine();
        PodmanSandbox bound = checked(engine, binding, true);
        try {
            return Engine.processes(
                            engine.read("containers/" + Engine.encoded(bound.container())
                                    + "/top?stream=false&ps_args=ppid,comm,pid"),
                            3)
                    .stream()
                    .filter(process -> !process.subList(0, 2).equals(HELPER))
                    .map(process -> process.get(2) + " " + process.get(1))
                    .limit(MOST_RUNNING)
                    .toList();
        } catch (IOException e) {
            throw Engine.unconfirmed(e);
        }
    }

    private Map<String, Object> guest(
            EnvironmentBinding binding, BooleanSupplier eligible, byte[] data, String... arguments) {
        Engine engine = engine();
        PodmanSandbox bound = checked(engine, binding, true);
        requireEligible(eligible);
        return guest(engine, bound.container(), List.of(arguments), data);
    }

    private Map<String, Object> guest(Engine engine, String container, List<String> arguments, byte[] data) {
        return sessions.call(engine, Path.of(socketPath), container, arguments, data);
    }

    private PodmanSandbox named(Engine engine, EnvironmentBinding binding) {
        EnvironmentPlacement placement = binding.placement();
        try {
            return sandboxes(engine, placement.workspace()).stream()
                    .filter(each -> each.name().equals(placement.name()))
                    .findFirst()
                    .orElseThrow(() -> new BerthException(
                            ProblemCode.ENVIRONMENT_UNCONFIRMED,
                            "This Podman has no environment " + placement.name() + " in workspace "
                                    + placement.workspace() + "."));
        } catch (IOException e) {
            throw Engine.unconfirmed(e);
        }
    }

    /** The bound environment, which must still be the saved one; one whose workload is gone may be stopped and deleted. */
    private PodmanSandbox checked(Engine engine, EnvironmentBinding binding, boolean ready) {
        EnvironmentResource saved = binding.resource();
        PodmanSandbox actual;
        try {
            actual = saved == null || saved.fingerprint() == null
                    ? named(engine, binding)
                    : inspected(engine, saved.fingerprint()).orElseGet(() -> named(engine, binding));
        } catch (IOException e) {
            throw Engine.unconfirmed(e);
        }
        EnvironmentResource now = actual.resource();
        boolean same = saved != null
                && (now.is(saved)
                        || actual.container() == null
                                && now.id().equals(saved.id())
                                && now.name().equals(saved.name()));
        if (!same) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_IDENTITY_CHANGED,
                    "The live environment is not the one of the saved binding.");
        }
        if (ready && !now.phase().equals(EnvironmentRules.READY)) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_NOT_READY,
                    "The bound environment is not Ready, it is " + now.phase() + ".");
        }
        return actual;
    }

    private Optional<PodmanSandbox> inspected(Engine engine, String container) throws IOException {
        Engine.Answer answer = engine.read("containers/" + Engine.encoded(container) + "/json");
        if (answer.status() == Engine.MISSING) {
            return Optional.empty();
        }
        return Optional.of(PodmanSandbox.ofInspected(
                        answer.done() ? answer.tree() : null, around.clock().instant())
                .orElseThrow(() -> new IOException("the container cannot be inspected: " + answer.message())));
    }

    private static void requireEligible(BooleanSupplier eligible) {
        if (!eligible.getAsBoolean()) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_SELECTION_CHANGED,
                    "The selected effect is no longer eligible; nothing was dispatched.");
        }
    }
}
