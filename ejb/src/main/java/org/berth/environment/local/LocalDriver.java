package org.berth.environment.local;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.berth.environment.NativeObservation;
import org.berth.environment.ViewerCommand;
import org.berth.environment.driver.GuestReplies;
import org.berth.environment.driver.PolicyFile;
import org.berth.environment.policy.EnvironmentPolicy;
import org.berth.files.PrivateFiles;
import org.berth.files.Trees;
import org.berth.host.EnvironmentSettings.Engine;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;
import org.berth.placement.ProcessIdentity;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Environments made of namespaces on this host. What happens inside is asked of the helper and compared with this host's
 * /proc; no guest file is opened from outside. For any thread. Source: environments.md, The local driver in detail.
 */
final class LocalDriver implements EnvironmentDriver {
    private static final long REPLY_NANOS = 15_000_000_000L;
    private static final long GONE_NANOS = 10_000_000_000L;
    private static final int POLL_MILLIS = 2;
    private static final int STOP_GRACE_MILLIS = 2000;
    private static final String MISSING = "missing";

    /** A place that is asked for, and not made, to get the first reply. */
    private static final String FIRST_STAGE = "transfer-first";

    private final Surroundings around;
    private final LocalRecords records;
    private final AgentStore programs;
    private final NamespaceCheck check;
    private final HostProc proc;
    private final LocalCreation creation;
    private final ReentrantLock creating = new ReentrantLock();

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
        this.programs = new AgentStore(around.layout().programs());
        this.creation = new LocalCreation(
                around.layout(), records, around.channels(), around.compute(), around.image(), around.clock());
    }

    @Override
    public EnvironmentListing list(EnvironmentPlacement placement) {
        LocalRecords.Listing listing = records.list();
        return new EnvironmentListing(
                listing.complete(),
                listing.records().stream()
                        .filter(each -> each.workspace().equals(placement.workspace()))
                        .map(this::healed)
                        .map(this::observed)
                        .toList());
    }

    /** The record with its process, where a crash came between the spawn and its record. */
    private LocalRecord healed(LocalRecord read) {
        if (read.process() != null) {
            return read;
        }
        ProcessIdentity found = around.compute().find(read.key(), read.nonce());
        if (found == null || found.tree() == null) {
            return read;
        }
        LocalRecord whole = read.withProcess(found);
        records.write(whole);
        return whole;
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
        if (begun.process() == null) {
            begun = creation.finish(begun, parts);
        }
        awaitFirstReply(begun);
        return observed(begun);
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
        ChannelStatus status = status(started);
        while (!isHelper(started, status)) {
            if (System.nanoTime() - deadline > 0 || !proc.alive(started.init())) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_CREATE_UNCONFIRMED,
                        "The environment's helper did not come up; see "
                                + around.layout().log(started.key()) + ".");
            }
            pause();
            status = status(started);
        }
        if (status.helperPid() != started.process().tree().innerPid()) {
            records.write(started.withHelper(status.helperPid(), status.helperStartTicks()));
        }
        line(started).call("--stage", EnvironmentRules.GUEST_ROOT + "/control/" + FIRST_STAGE);
    }

    @Override
    public EnvironmentResource inspect(EnvironmentBinding binding) {
        return observed(named(binding));
    }

    @Override
    public void upload(
            EnvironmentBinding binding, byte[] bytes, String destination, String previousSha256, boolean executable) {
        ready(binding)
                .call(
                        List.of(
                                "--put",
                                destination,
                                "--previous",
                                previousSha256 == null ? MISSING : previousSha256,
                                "--mode",
                                executable ? "0700" : "0600"),
                        bytes);
    }

    @Override
    public byte[] read(EnvironmentBinding binding, String path) {
        return GuestReplies.content(ready(binding).call("--read", path));
    }

    @Override
    public void prepare(EnvironmentBinding binding) {
        programs.program(checked(binding, true).image());
        ready(binding).call("--prepare");
    }

    @Override
    public NativeObservation nativeIdentity(EnvironmentBinding binding) {
        LocalRecord bound = checked(binding, true);
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
        LocalRecord bound = checked(binding, true);
        ChannelStatus status = status(bound);
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
        LocalRecord bound = checked(binding, false);
        requireEligible(eligible);
        end(bound);
    }

    @Override
    public void deleteEnvironment(EnvironmentBinding binding, String effectId, BooleanSupplier eligible) {
        LocalRecord bound = checked(binding, false);
        requireEligible(eligible);
        end(bound);
        Answers.of(around.channels().close(bound.key()));
        removeFiles(bound);
        if (bound.process() != null) {
            around.compute().forget(bound.key(), bound.nonce());
        }
        records.remove(bound);
    }

    /** The supervisor may still close the log of what just ended, so that a directory fills again while it is emptied. */
    private void removeFiles(LocalRecord bound) {
        long deadline = System.nanoTime() + GONE_NANOS;
        while (true) {
            try {
                Trees.remove(around.layout().environment(bound.key()));
                return;
            } catch (DirectoryNotEmptyException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw LocalCreation.storage(e);
                }
                pause();
            } catch (IOException e) {
                throw LocalCreation.storage(e);
            }
        }
    }

    /** TERM to the helper, then KILL to the namespace, until nothing of it is left. */
    private void end(LocalRecord bound) {
        if (bound.init() == null || !proc.alive(bound.init())) {
            return;
        }
        around.compute().stop(bound.key(), bound.nonce(), STOP_GRACE_MILLIS, bound.process());
        long deadline = System.nanoTime() + GONE_NANOS;
        while (proc.alive(bound.init())) {
            if (System.nanoTime() - deadline > 0) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_CLEANUP_UNCONFIRMED, "The environment's processes are not gone yet.");
            }
            pause();
        }
    }

    @Override
    public String captureCleanup(EnvironmentBinding binding, String engineSocket) {
        LocalRecord bound = checked(binding, false);
        ProcessMark init = bound.init();
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("driver", "local");
        tree.put("id", bound.id());
        tree.put("init_pid", init == null ? null : init.pid());
        tree.put("init_start_ticks", init == null ? null : init.startTicks());
        tree.put("boot_id", init == null ? null : init.bootId());
        return CanonicalJson.write(tree);
    }

    @Override
    public DependentObservation cleanupState(EnvironmentBinding binding, String inventory) {
        if (inventory == null) {
            return null;
        }
        Map<String, Object> tree = StrictJson.object(inventory);
        String key = ((String) tree.get("id")).replace("-", "");
        boolean workload = tree.get("init_pid") instanceof Long pid
                && proc.alive(new ProcessMark(pid, (Long) tree.get("init_start_ticks"), (String) tree.get("boot_id")));
        boolean supervisor = Answers.of(around.channels().status(key)) != null
                || Files.exists(around.layout().channel(key), LinkOption.NOFOLLOW_LINKS);
        boolean volumes = Files.exists(around.layout().environment(key), LinkOption.NOFOLLOW_LINKS);
        return new DependentObservation(workload, supervisor, volumes);
    }

    @Override
    public List<String> unenforced(EnvironmentBinding binding) {
        return named(binding).unenforced();
    }

    @Override
    public List<String> egressRefusals(EnvironmentBinding binding) {
        return RefusalLog.sentences(around.layout().refusals(named(binding).key()));
    }

    /** Whether {@code key} names the process of an environment. */
    boolean owns(String key) {
        return records.find(each -> each.key().equals(key)).isPresent();
    }

    private EnvironmentResource observed(LocalRecord each) {
        boolean alive = each.init() != null && proc.alive(each.init());
        LocalPhase phase = LocalPhase.of(
                each,
                alive,
                alive && isHelper(each, status(each)),
                around.clock().instant());
        return new EnvironmentResource(
                each.id(), each.name(), each.workspace(), phase.wire(), each.fingerprint(), each.effectId());
    }

    private ChannelStatus status(LocalRecord of) {
        return Answers.of(around.channels().status(of.key()));
    }

    /** Whether who is on the line is the helper: what was spawned, or at first what the namespace's init started. */
    private boolean isHelper(LocalRecord of, ChannelStatus status) {
        if (status == null || !status.helperConnected()) {
            return false;
        }
        ProcessIdentity.Tree tree = of.process().tree();
        if (tree.innerPid() != tree.initPid()) {
            return status.helperPid() == tree.innerPid() && status.helperStartTicks() == tree.innerStartTicks();
        }
        return proc.seen(status.helperPid())
                .filter(found -> found.startTicks() == status.helperStartTicks() && found.parent() == tree.initPid())
                .isPresent();
    }

    private LocalRecord named(EnvironmentBinding binding) {
        EnvironmentPlacement placement = binding.placement();
        return records.find(each -> each.workspace().equals(placement.workspace())
                        && each.name().equals(placement.name()))
                .map(this::healed)
                .orElseThrow(() -> new BerthException(
                        ProblemCode.ENVIRONMENT_UNCONFIRMED,
                        "This host has no environment " + placement.name() + " in workspace " + placement.workspace()
                                + "."));
    }

    /** The bound environment, which must still be the saved one. */
    private LocalRecord checked(EnvironmentBinding binding, boolean ready) {
        LocalRecord actual = named(binding);
        EnvironmentResource now = observed(actual);
        if (binding.resource() == null || !now.is(binding.resource())) {
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

    private GuestLine ready(EnvironmentBinding binding) {
        return line(checked(binding, true));
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

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BerthException(ProblemCode.UNCERTAIN, "the wait for the environment was interrupted", e);
        }
    }
}
