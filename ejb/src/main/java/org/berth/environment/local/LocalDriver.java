package org.berth.environment.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.berth.environment.ChannelStatus;
import org.berth.environment.DependentObservation;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.EnvironmentListing;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.GuestChannels;
import org.berth.environment.GuestFile;
import org.berth.environment.GuestRead;
import org.berth.environment.GuestUpload;
import org.berth.environment.NativeObservation;
import org.berth.environment.ViewerCommand;
import org.berth.environment.driver.ContinuedCreates;
import org.berth.environment.driver.GuestReplies;
import org.berth.environment.driver.PolicyFile;
import org.berth.environment.driver.RefusalLog;
import org.berth.environment.policy.EnvironmentPolicy;
import org.berth.files.PrivateFiles;
import org.berth.host.EnvironmentSettings.Engine;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Environments made of namespaces on this host. What happens inside is asked of the helper and compared with this host's
 * /proc; no guest file is opened from outside. For any thread. Source: environments.md, The local driver in detail.
 */
final class LocalDriver implements EnvironmentDriver, ContinuedCreates {
    private static final long REPLY_NANOS = 15_000_000_000L;
    private static final int MOST_RUNNING = 100;

    /** No helper is there sooner; a look before takes its processor time. Source: half of a measured start. */
    private static final int HELPER_START_MILLIS = 25;

    private static final String MISSING = "missing";

    /** Half of the requests that may wait on a helper's line, which others use too. Source: the supervisor's ControlLine. */
    private static final int FILES_TOGETHER = 32;

    /** A place that is asked for, and not made, to get the first reply. */
    private static final String FIRST_STAGE = "transfer-first";

    private final Surroundings around;
    private final LocalRecords records;
    private final AgentStore programs;
    private final NamespaceCheck check;
    private final HostProc proc;
    private final LocalObserver observer;
    private final LocalRemoval removal;
    private final LocalCreation creation;
    private final ReentrantLock creating = new ReentrantLock();

    /** The keys of environments that a call makes right now. */
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();

    /**
     * What the driver works with.
     *
     * @param files reads an admitted host file, no-follow and bounded
     * @param admittedDirectory answers the physical path of an admitted host path
     * @param provider the variables of a provider
     * @param engine the engine that host.yaml selects
     * @param image the helper's image
     */
    record Surroundings(
            LocalLayout layout,
            GuestChannels channels,
            Compute compute,
            Function<String, byte[]> files,
            Function<String, Path> admittedDirectory,
            Function<String, Map<String, String>> provider,
            Supplier<Engine> engine,
            Path image,
            Clock clock) {}

    LocalDriver(Surroundings around, NamespaceCheck check, HostProc proc) {
        this.around = around;
        this.check = check;
        this.proc = proc;
        this.records = new LocalRecords(around.layout().metadata());
        this.observer = new LocalObserver(around, records, proc);
        this.removal = new LocalRemoval(around, records, proc);
        this.programs = new AgentStore(around.layout().programs());
        this.creation = new LocalCreation(
                around.layout(), records, around.channels(), around.compute(), around.image(), around.clock());
    }

    @Override
    public EnvironmentListing list(EnvironmentPlacement placement) {
        LocalRecords.Listing listing = records.list();
        return new EnvironmentListing(
                listing.complete(),
                observer.observed(listing.records().stream()
                        .filter(each -> each.workspace().equals(placement.workspace()))
                        .map(observer::healed)
                        .toList()));
    }

    @Override
    public EnvironmentResource create(String effectId, EnvironmentPlacement placement) {
        LocalCreation.Parts parts = parts(placement);
        LocalRecord begun;
        creating.lock();
        try {
            begun = begun(effectId, placement).orElseGet(() -> creation.begin(effectId, parts));
        } finally {
            creating.unlock();
        }
        boolean first = begun.process() == null;
        if (first) {
            begun = finished(begun, parts);
        }
        if (first || proc.alive(begun.init())) {
            awaitFirstReply(begun);
        }
        return observer.observed(begun);
    }

    private LocalRecord finished(LocalRecord begun, LocalCreation.Parts parts) {
        if (!underWay.add(begun.key())) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_CREATE_UNCONFIRMED, "Another call makes this environment right now.");
        }
        try {
            return creation.finish(begun, parts);
        } finally {
            underWay.remove(begun.key());
        }
    }

    @Override
    public boolean isUnfinished(EnvironmentResource listed) {
        return records.find(each -> each.id().equals(listed.id()))
                .map(observer::healed)
                .filter(each -> each.process() == null)
                .isPresent();
    }

    private LocalCreation.Parts parts(EnvironmentPlacement placement) {
        try {
            PrivateFiles.directory(around.layout().root());
            PrivateFiles.directory(around.layout().metadata());
        } catch (IOException e) {
            throw LocalCreation.storage(e);
        }
        byte[] bytes = around.files().apply(placement.policy());
        if (!CanonicalJson.sha256(bytes).equals(placement.policySha256())) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_POLICY_CHANGED, "The selected policy file changed; nothing was created.");
        }
        EnvironmentPolicy policy = PolicyFile.parse(bytes);
        List<String> data = GuestView.data(policy.filesystem()).stream()
                .map(path -> around.admittedDirectory().apply(path).toString())
                .toList();
        if (!Files.isExecutable(around.image().resolve("bin/guest"))) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_DRIVER_UNAVAILABLE,
                    "The helper's image is not in " + around.image() + "; an administrator installs it from the"
                            + " distribution.");
        }
        return new LocalCreation.Parts(
                placement,
                policy,
                check.engine(around.engine().get()),
                programs.program(placement.image()),
                data,
                around.provider().apply(placement.provider()));
    }

    /** What an earlier call of the same effect began. @throws BerthException when the name is another effect's */
    private Optional<LocalRecord> begun(String effectId, EnvironmentPlacement placement) {
        LocalRecords.Listing listing = records.list();
        if (!listing.complete()) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_LISTING_INCOMPLETE,
                    "Not every environment of this host could be read; nothing was created.");
        }
        for (LocalRecord each : listing.records()) {
            boolean sameName = each.workspace().equals(placement.workspace())
                    && each.name().equals(placement.name());
            if (each.effectId().equals(effectId)) {
                if (!sameName || !each.image().equals(placement.image())) {
                    throw new BerthException(
                            ProblemCode.ENVIRONMENT_OPERATION_CHANGED,
                            "The same effect made another environment than the one that is asked for.");
                }
                return Optional.of(each);
            }
            if (sameName) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_NAME_IN_USE,
                        "An environment " + placement.name() + " is in workspace " + placement.workspace()
                                + " already.");
            }
        }
        return Optional.empty();
    }

    private void awaitFirstReply(LocalRecord started) {
        long deadline = System.nanoTime() + REPLY_NANOS;
        ChannelStatus status = observer.status(started);
        int pause = HELPER_START_MILLIS;
        while (!observer.isHelper(started, status)) {
            if (System.nanoTime() - deadline > 0 || !proc.alive(started.init())) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_CREATE_UNCONFIRMED,
                        "The environment's helper did not come up; see "
                                + around.layout().log(started.key()) + ".");
            }
            Answers.pause(pause);
            pause = Answers.POLL_MILLIS;
            status = observer.status(started);
        }
        CompletionStage<byte[]> reply =
                line(started).send(List.of("--stage", EnvironmentRules.GUEST_ROOT + "/control/" + FIRST_STAGE), null);
        if (status.helperPid() != started.process().tree().innerPid()) {
            records.write(started.withHelper(status.helperPid(), status.helperStartTicks()));
        }
        GuestLine.reply(reply);
    }

    @Override
    public EnvironmentResource inspect(EnvironmentBinding binding) {
        return observer.observed(observer.named(binding));
    }

    @Override
    public void upload(
            EnvironmentBinding binding, byte[] bytes, String destination, String previousSha256, boolean executable) {
        uploadAll(binding, List.of(new GuestUpload(bytes, destination, previousSha256, executable)));
    }

    @Override
    public byte[] read(EnvironmentBinding binding, String path) {
        return readAll(binding, List.of(path)).getFirst().bytes();
    }

    @Override
    public int filesTogether() {
        return FILES_TOGETHER;
    }

    @Override
    public void uploadAll(EnvironmentBinding binding, List<GuestUpload> uploads) {
        GuestLine line = ready(binding);
        List<CompletionStage<byte[]>> sent = uploads.stream()
                .map(each -> line.send(
                        List.of(
                                "--put",
                                each.destination(),
                                "--previous",
                                each.previousSha256() == null ? MISSING : each.previousSha256(),
                                "--mode",
                                each.executable() ? "0700" : "0600"),
                        each.bytes()))
                .toList();
        sent.forEach(GuestLine::reply);
    }

    @Override
    public List<GuestRead> readAll(EnvironmentBinding binding, List<String> paths) {
        GuestLine line = ready(binding);
        List<CompletionStage<byte[]>> sent = paths.stream()
                .map(path -> line.send(List.of("--read", path), null))
                .toList();
        return sent.stream()
                .map(each -> GuestRead.of(() -> GuestReplies.content(GuestLine.reply(each))))
                .toList();
    }

    @Override
    public void prepare(EnvironmentBinding binding) {
        programs.program(observer.checked(binding, true).image());
        ready(binding).call("--prepare");
    }

    @Override
    public NativeObservation nativeIdentity(EnvironmentBinding binding) {
        LocalRecord bound = observer.checked(binding, true);
        Map<String, Object> reply = line(bound).call("--identity");
        NativeObservation told = GuestReplies.identity(reply);
        boolean seen = proc.inside(bound.init(), told.pid())
                .filter(found -> Long.toString(found.startTicks()).equals(String.valueOf(reply.get("started"))))
                .filter(found -> proc.arguments(found.pid()).contains(told.nativeId()))
                .isPresent();
        if (seen != told.running()) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_NATIVE_UNCONFIRMED,
                    "What the environment tells of its native is not what this host observes.");
        }
        return told;
    }

    @Override
    public ViewerCommand connect(EnvironmentBinding binding) {
        LocalRecord bound = observer.checked(binding, true);
        ChannelStatus status = observer.status(bound);
        if (status == null) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_NOT_READY, "The environment's channel is not open; try again.");
        }
        return new ViewerCommand(
                List.of(around.image().resolve("bin/guest").toString(), "--view", status.viewerSocket()), Map.of());
    }

    @Override
    public void stopNative(
            EnvironmentBinding binding, NativeObservation observed, String effectId, BooleanSupplier eligible) {
        GuestLine line = ready(binding);
        requireEligible(eligible);
        line.call("--stop-native", observed.nativeId(), "--generation", observed.generation());
    }

    @Override
    public List<GuestFile> checkpointFiles(EnvironmentBinding binding, NativeObservation observed) {
        return GuestReplies.checkpoint(ready(binding).call("--checkpoint-files"));
    }

    @Override
    public void stopCompute(EnvironmentBinding binding, String effectId, BooleanSupplier eligible) {
        LocalRecord bound = observer.checked(binding, false);
        requireEligible(eligible);
        removal.end(bound);
    }

    @Override
    public void deleteEnvironment(EnvironmentBinding binding, String effectId, BooleanSupplier eligible) {
        LocalRecord bound = observer.checked(binding, false);
        requireEligible(eligible);
        removal.remove(bound);
    }

    @Override
    public String captureCleanup(EnvironmentBinding binding, String engineSocket) {
        return removal.inventory(observer.checked(binding, false));
    }

    @Override
    public DependentObservation cleanupState(EnvironmentBinding binding, String inventory) {
        return inventory == null ? null : removal.left(inventory);
    }

    @Override
    public List<String> unenforced(EnvironmentBinding binding) {
        return observer.named(binding).unenforced();
    }

    @Override
    public List<String> egressRefusals(EnvironmentBinding binding) {
        return RefusalLog.sentences(
                around.layout().refusals(observer.named(binding).key()));
    }

    @Override
    public List<String> running(EnvironmentBinding binding) {
        LocalRecord bound = observer.checked(binding, true);
        ChannelStatus status = observer.status(bound);
        long helper = status == null ? 0 : status.helperPid();
        return proc.below(bound.init().pid()).stream()
                .filter(each -> each.pid() != helper)
                .map(each -> proc.innermost(each.pid()) + " " + proc.program(each.pid()))
                .sorted()
                .limit(MOST_RUNNING)
                .toList();
    }

    /** Whether {@code key} names the process of an environment. */
    boolean owns(String key) {
        return records.find(each -> each.key().equals(key)).isPresent();
    }

    private GuestLine ready(EnvironmentBinding binding) {
        return line(observer.checked(binding, true));
    }

    private GuestLine line(LocalRecord of) {
        return new GuestLine(around.channels(), of.key());
    }

    private static void requireEligible(BooleanSupplier eligible) {
        if (!eligible.getAsBoolean()) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_SELECTION_CHANGED,
                    "The selected effect is no longer eligible; nothing was dispatched.");
        }
    }
}
