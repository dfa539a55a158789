package org.berth.environment.service;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.berth.environment.DependentObservation;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.EnvironmentListing;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentViewers;
import org.berth.environment.GuestFile;
import org.berth.environment.NativeObservation;
import org.berth.environment.ViewerCommand;
import org.berth.environment.driver.ContinuedCreates;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * A provider in memory that can lose a reply after its effect, cut its listing, refuse, and change under the caller's
 * hands. It outlives the services that ask it, as a provider outlives a server.
 */
public class InMemoryDriver implements EnvironmentDriver, EnvironmentViewers, ContinuedCreates {
    private static final String BEGUN = "Pending";

    public final List<EnvironmentResource> resources = new ArrayList<>();
    public final Map<String, byte[]> files = new LinkedHashMap<>();
    public final Map<String, Boolean> executables = new LinkedHashMap<>();
    public final AtomicInteger creates = new AtomicInteger();
    public final AtomicInteger uploads = new AtomicInteger();
    public final AtomicInteger reads = new AtomicInteger();

    public boolean loseCreate;

    /** A create ends before there is any compute; the same effect again goes on with it. */
    public boolean beginsOnly;

    public boolean completeListing = true;
    public BerthException refuseCreate;
    public BerthException refuseListing;
    public EnvironmentResource createAnswer;

    public final AtomicInteger stops = new AtomicInteger();
    public final AtomicInteger deleted = new AtomicInteger();
    public final AtomicInteger closes = new AtomicInteger();

    /** The native, once one was launched. */
    public String nativeId;

    public String nativeGeneration;
    public boolean running = true;
    public boolean ignoreTerm;
    public boolean loseStop;
    public boolean deletes = true;
    public boolean viewersClose = true;
    /** Tells two engines at one socket path apart. */
    public long engineInode = 2;

    public DependentObservation left = new DependentObservation(false, false, false);

    /** Runs before the native is looked at. */
    public Runnable beforeIdentity = () -> {};

    /** Runs in a driver's stop, before it asks whether it may. */
    public Runnable beforeGate = () -> {};

    /** Runs right before each create, with the effect's id; for what must be journalled by then. */
    public Consumer<String> beforeCreate = _ -> {};

    /** Runs after each read; for what changes between two steps of a caller. */
    public Runnable afterRead = () -> {};

    public int filesTogether = 1;

    /** What an upload leaves instead of the bytes that were sent; null for those. */
    public byte[] spoiltUpload;

    @Override
    public EnvironmentListing list(EnvironmentPlacement placement) {
        if (refuseListing != null) {
            throw refuseListing;
        }
        return new EnvironmentListing(completeListing, completeListing ? resources : List.of());
    }

    @Override
    public EnvironmentResource create(String effectId, EnvironmentPlacement placement) {
        creates.incrementAndGet();
        beforeCreate.accept(effectId);
        if (refuseCreate != null) {
            throw refuseCreate;
        }
        String begun = resources.stream()
                .filter(each -> isUnfinished(each) && effectId.equals(each.operationId()))
                .map(EnvironmentResource::id)
                .findFirst()
                .orElse("immutable-resource-" + creates.get());
        resources.removeIf(each -> begun.equals(each.id()));
        EnvironmentResource made = new EnvironmentResource(
                begun, placement.name(), placement.workspace(), beginsOnly ? BEGUN : "Ready", "host-key-1", effectId);
        resources.add(made);
        if (loseCreate || beginsOnly) {
            throw new IllegalStateException("the reply is lost after the create");
        }
        return createAnswer == null ? made : createAnswer;
    }

    @Override
    public boolean isUnfinished(EnvironmentResource listed) {
        return BEGUN.equals(listed.phase());
    }

    @Override
    public EnvironmentResource inspect(EnvironmentBinding binding) {
        if (resources.isEmpty()) {
            throw new IllegalStateException("the provider is unavailable");
        }
        return resources.getFirst();
    }

    @Override
    public void upload(
            EnvironmentBinding binding, byte[] bytes, String destination, String previousSha256, boolean executable) {
        uploads.incrementAndGet();
        byte[] existing = files.get(destination);
        String present = existing == null ? null : CanonicalJson.sha256(existing);
        if (!Objects.equals(present, previousSha256)) {
            throw new BerthException(ProblemCode.ENVIRONMENT_FILE_CHANGED, "The destination changed.");
        }
        files.put(destination, spoiltUpload == null ? bytes : spoiltUpload);
        executables.put(destination, executable);
    }

    @Override
    public int filesTogether() {
        return filesTogether;
    }

    @Override
    public byte[] read(EnvironmentBinding binding, String path) {
        reads.incrementAndGet();
        byte[] bytes = files.get(path);
        if (bytes == null) {
            throw new BerthException(ProblemCode.ENVIRONMENT_FILE_MISSING, "The guest has no such file.");
        }
        afterRead.run();
        return bytes;
    }

    @Override
    public void prepare(EnvironmentBinding binding) {
        throw new UnsupportedOperationException();
    }

    @Override
    public NativeObservation nativeIdentity(EnvironmentBinding binding) {
        if (nativeId == null) {
            throw new UnsupportedOperationException();
        }
        beforeIdentity.run();
        return new NativeObservation(nativeId, nativeGeneration, running, 17, running ? null : 0);
    }

    /** Every history of the native that the guest has. */
    @Override
    public List<GuestFile> checkpointFiles(EnvironmentBinding binding, NativeObservation observed) {
        return files.entrySet().stream()
                .filter(each -> each.getKey().endsWith("/" + observed.nativeId() + ".jsonl"))
                .map(each -> new GuestFile(
                        each.getKey().substring(binding.config().guestRoot().length() + 1),
                        CanonicalJson.sha256(each.getValue()),
                        each.getValue().length))
                .toList();
    }

    @Override
    public void stopNative(
            EnvironmentBinding binding, NativeObservation observed, String effectId, BooleanSupplier eligible) {
        requireEligible(eligible);
        stops.incrementAndGet();
        running = ignoreTerm;
        loseReply();
    }

    @Override
    public void stopCompute(EnvironmentBinding binding, String effectId, BooleanSupplier eligible) {
        beforeGate.run();
        requireEligible(eligible);
        stops.incrementAndGet();
        running = false;
        resources.replaceAll(each -> new EnvironmentResource(
                each.id(), each.name(), each.workspace(), "Stopped", each.fingerprint(), each.operationId()));
        loseReply();
    }

    @Override
    public void deleteEnvironment(EnvironmentBinding binding, String effectId, BooleanSupplier eligible) {
        if (!deletes) {
            EnvironmentDriver.super.deleteEnvironment(binding, effectId, eligible);
        }
        requireEligible(eligible);
        deleted.incrementAndGet();
        resources.removeIf(each -> each.id().equals(binding.resource().id()));
        loseReply();
    }

    @Override
    public String captureCleanup(EnvironmentBinding binding, String engineSocket) {
        if (engineSocket == null) {
            throw new BerthException(ProblemCode.ENVIRONMENT_ENGINE_REQUIRED, "The engine's socket is required.");
        }
        return "{\"socket\":\"" + engineSocket + "\",\"socketInode\":" + engineInode + "}";
    }

    @Override
    public DependentObservation cleanupState(EnvironmentBinding binding, String inventory) {
        return left;
    }

    @Override
    public boolean close(String bindingId) {
        closes.incrementAndGet();
        return viewersClose;
    }

    private void loseReply() {
        if (loseStop) {
            throw new IllegalStateException("the reply is lost after the effect");
        }
    }

    private static void requireEligible(BooleanSupplier eligible) {
        if (!eligible.getAsBoolean()) {
            throw new BerthException(ProblemCode.ENVIRONMENT_SELECTION_CHANGED, "Nothing was sent.");
        }
    }

    @Override
    public ViewerCommand connect(EnvironmentBinding binding) {
        throw new UnsupportedOperationException();
    }
}
