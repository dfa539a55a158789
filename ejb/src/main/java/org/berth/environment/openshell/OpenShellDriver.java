package org.berth.environment.openshell;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
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
import org.berth.environment.podman.PodmanObserver;
import org.berth.files.PrivateFiles;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Environments of an OpenShell gateway. Files pass through the guest's helper, never through an archive. */
public final class OpenShellDriver implements EnvironmentDriver {
    private static final int BASE64_BYTES = 4 * ((EnvironmentRules.FILE_BYTES + 2) / 3);

    private final OpenShellCommand command;
    private final Function<String, byte[]> hostFiles;
    private final Path stages;
    private final PodmanObserver observer;
    private volatile Known known;

    /** The version that one executable answered. */
    private record Known(String executable, OpenShellVersion version) {}

    /**
     * @param hostFiles reads an admitted host file, no-follow and bounded
     * @param stages a private directory for files on their way
     * @param observer observes the engine behind the gateway, where it is a Podman of the server's user
     */
    OpenShellDriver(
            OpenShellCommand command, Function<String, byte[]> hostFiles, Path stages, PodmanObserver observer) {
        this.command = command;
        this.hostFiles = hostFiles;
        this.stages = stages;
        this.observer = observer;
    }

    @Override
    public EnvironmentListing list(EnvironmentPlacement placement) {
        return OpenShellAnswers.listing(sandbox(placement, version().list()));
    }

    @Override
    public EnvironmentResource create(String effectId, EnvironmentPlacement placement) {
        byte[] policy = hostFiles.apply(placement.policy());
        if (!CanonicalJson.sha256(policy).equals(placement.policySha256())) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_POLICY_CHANGED, "The selected policy file changed; nothing was created.");
        }
        OpenShellVersion version = version();
        byte[] printed = staged(
                "policy.yaml",
                policy,
                file -> sandbox(placement, version.create(placement, file.toString(), effectId)));
        return OpenShellAnswers.resource(version.answersCreate() ? printed : get(placement));
    }

    @Override
    public EnvironmentResource inspect(EnvironmentBinding binding) {
        return OpenShellAnswers.resource(get(binding.placement()));
    }

    @Override
    public void upload(
            EnvironmentBinding binding, byte[] bytes, String destination, String previousSha256, boolean executable) {
        String stage = binding.config().guestRoot() + "/control/transfer-" + UUID.randomUUID();
        guest(binding, () -> true, "--stage", stage);
        requireSame(binding, true);
        staged(
                "transfer",
                bytes,
                file -> sandbox(
                        binding.placement(),
                        List.of("upload", binding.placement().name(), file.toString(), stage, "--no-git-ignore")));
        guest(
                binding,
                () -> true,
                "--install",
                stage,
                "--destination",
                destination,
                "--previous",
                previousSha256 == null ? "missing" : previousSha256,
                "--mode",
                executable ? "0700" : "0600");
    }

    @Override
    public byte[] read(EnvironmentBinding binding, String path) {
        if (guest(binding, () -> true, "--read", path).get("base64") instanceof String text
                && text.length() <= BASE64_BYTES) {
            try {
                byte[] bytes = Base64.getDecoder().decode(text);
                if (bytes.length <= EnvironmentRules.FILE_BYTES) {
                    return bytes;
                }
            } catch (IllegalArgumentException e) {
                throw fileInvalid(e);
            }
        }
        throw fileInvalid(null);
    }

    @Override
    public void prepare(EnvironmentBinding binding) {
        guest(binding, () -> true, "--prepare");
    }

    @Override
    public NativeObservation nativeIdentity(EnvironmentBinding binding) {
        Map<String, Object> reply = guest(binding, () -> true, "--identity");
        if (reply.get("running") instanceof Boolean running
                && reply.get("nativeId") instanceof String nativeId
                && reply.get("generation") instanceof String generation) {
            return new NativeObservation(
                    nativeId,
                    generation,
                    running,
                    reply.get("pid") instanceof Long pid ? pid : 0,
                    reply.get("exitCode") instanceof Long code ? Integer.valueOf(code.intValue()) : null);
        }
        throw new BerthException(
                ProblemCode.ENVIRONMENT_NATIVE_UNCONFIRMED, "The exact native execution is not observed.");
    }

    @Override
    public ViewerCommand connect(EnvironmentBinding binding) {
        requireSame(binding, true);
        List<String> argv = new ArrayList<>(List.of(command.executable()));
        argv.addAll(OpenShellVersion.prefix(binding.placement()));
        argv.addAll(List.of("connect", binding.placement().name()));
        return new ViewerCommand(argv, command.environment());
    }

    @Override
    public void stopNative(
            EnvironmentBinding binding, NativeObservation observed, String effectId, BooleanSupplier eligible) {
        guest(binding, eligible, "--stop-native", observed.nativeId(), "--generation", observed.generation());
    }

    @Override
    public void stopCompute(EnvironmentBinding binding, String effectId, BooleanSupplier eligible) {
        requireSame(binding, false);
        requireEligible(eligible);
        sandbox(binding.placement(), List.of("stop", binding.placement().name()));
    }

    @Override
    public void deleteEnvironment(EnvironmentBinding binding, String effectId, BooleanSupplier eligible) {
        requireSame(binding, false);
        requireEligible(eligible);
        sandbox(binding.placement(), List.of("delete", binding.placement().name()));
    }

    @Override
    public String captureCleanup(EnvironmentBinding binding, String engineSocket) {
        if (engineSocket == null) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_ENGINE_REQUIRED,
                    "The socket of the provider's rootless Podman must be named before a deletion.");
        }
        requireSame(binding, false);
        return observer.capture(binding, engineSocket);
    }

    @Override
    public DependentObservation cleanupState(EnvironmentBinding binding, String inventory) {
        return inventory == null ? null : observer.observe(binding, inventory);
    }

    @Override
    public List<GuestFile> checkpointFiles(EnvironmentBinding binding, NativeObservation observed) {
        if (guest(binding, () -> true, "--checkpoint-files").get("files") instanceof List<?> files
                && files.size() == 1
                && files.getFirst() instanceof Map<?, ?> file
                && file.get("path") instanceof String path
                && file.get("sha256") instanceof String sha256
                && file.get("bytes") instanceof Long bytes) {
            return List.of(new GuestFile(path, sha256, bytes));
        }
        throw new BerthException(
                ProblemCode.ENVIRONMENT_CHECKPOINT_INVALID, "The guest names not exactly one history file.");
    }

    private Map<String, Object> guest(EnvironmentBinding binding, BooleanSupplier eligible, String... options) {
        requireSame(binding, true);
        requireEligible(eligible);
        OpenShellVersion version = version();
        List<String> argv = new ArrayList<>(version.exec(binding.placement().name()));
        argv.addAll(version.helper());
        argv.addAll(List.of("--root", binding.config().guestRoot()));
        argv.addAll(List.of(options));
        List<String> whole = new ArrayList<>(OpenShellVersion.prefix(binding.placement()));
        whole.addAll(argv);
        Map<String, Object> reply = OpenShellAnswers.object(
                command.exec(whole),
                ProblemCode.OPENSHELL_TRANSPORT_UNCONFIRMED,
                "The guest's helper gave no JSON; repeat the same operation to reconcile it.");
        if (!Boolean.TRUE.equals(reply.get("ok"))) {
            ProblemCode code = reply.get("code") instanceof String wire
                    ? ProblemCode.parse(wire).orElse(ProblemCode.ENVIRONMENT_GUEST_REFUSED)
                    : ProblemCode.ENVIRONMENT_GUEST_REFUSED;
            throw new BerthException(code, "The guest's helper refused " + options[0] + ".");
        }
        return reply;
    }

    /** The vendor addresses a name: the saved identity is compared right before each call. */
    private void requireSame(EnvironmentBinding binding, boolean ready) {
        EnvironmentResource live = inspect(binding);
        if (binding.resource() == null || !live.is(binding.resource())) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_IDENTITY_CHANGED, "The live OpenShell sandbox is not the bound one.");
        }
        if (ready && !live.phase().equals(EnvironmentRules.READY)) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_NOT_READY,
                    "The bound OpenShell sandbox is " + live.phase() + ", not Ready.");
        }
    }

    private static void requireEligible(BooleanSupplier eligible) {
        if (!eligible.getAsBoolean()) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_SELECTION_CHANGED, "The selection changed; no command was sent.");
        }
    }

    private byte[] get(EnvironmentPlacement placement) {
        return sandbox(placement, List.of("get", placement.name(), "--output", "json"));
    }

    private byte[] sandbox(EnvironmentPlacement placement, List<String> verb) {
        version();
        List<String> argv = new ArrayList<>(OpenShellVersion.prefix(placement));
        argv.addAll(verb);
        return command.run(argv);
    }

    private OpenShellVersion version() {
        Known last = known;
        String executable = command.executable();
        if (last == null || !last.executable().equals(executable)) {
            last = new Known(
                    executable,
                    OpenShellVersion.of(
                            new String(command.run(List.of("--version")), java.nio.charset.StandardCharsets.UTF_8)));
            known = last;
        }
        return last.version();
    }

    private byte[] staged(String name, byte[] bytes, Function<Path, byte[]> use) {
        try {
            Path directory = PrivateFiles.directory(stages.resolve("openshell-" + UUID.randomUUID()));
            Path file = directory.resolve(name);
            try {
                PrivateFiles.write(file, bytes);
                return use.apply(file);
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static BerthException fileInvalid(Throwable cause) {
        return new BerthException(
                ProblemCode.ENVIRONMENT_FILE_INVALID,
                "The guest's file did not come as at most " + EnvironmentRules.FILE_BYTES + " bytes.",
                cause);
    }
}
