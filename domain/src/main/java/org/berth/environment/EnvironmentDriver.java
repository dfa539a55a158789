package org.berth.environment;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The port to one kind of environment, protocol version 1. Every method is called with no transaction open, blocks for
 * at most 30 s, and fails with {@link BerthException}; a failure after an effect was sent says nothing about the effect.
 * An operation that a driver lacks fails with {@code environment_effect_unsupported} (501). Source: environments.md,
 * Drivers.
 */
public interface EnvironmentDriver {
    /** The protocol version that this interface is: {@value}. */
    int VERSION = 1;

    /** Every resource of the placement's workspace. */
    EnvironmentListing list(EnvironmentPlacement placement);

    /**
     * Makes the environment; the resource carries {@code effectId} as its operation id. The policy file's bytes are read
     * again and must hash to the placement's digest.
     *
     * @throws BerthException environment_policy_changed, environment_policy_invalid, environment_path_denied,
     *     environment_provider_reference_missing, environment_driver_unavailable before anything was made
     */
    EnvironmentResource create(String effectId, EnvironmentPlacement placement);

    /** The live resource of {@code binding}, not compared with the stored one. */
    EnvironmentResource inspect(EnvironmentBinding binding);

    /**
     * Puts {@code bytes} at {@code destination} by an atomic install.
     *
     * @param destination absolute guest path under the guest root
     * @param previousSha256 what the destination must hold; null when it must be missing
     */
    void upload(
            EnvironmentBinding binding, byte[] bytes, String destination, String previousSha256, boolean executable);

    /**
     * The bytes of one regular guest file of at most 1 MiB.
     *
     * @throws BerthException environment_file_missing, environment_file_invalid
     */
    byte[] read(EnvironmentBinding binding, String path);

    /**
     * How many files the driver takes in one call of {@link #uploadAll} and {@link #readAll} without waiting for each; 1
     * where it cannot.
     */
    default int filesTogether() {
        return 1;
    }

    /**
     * {@link #upload} of at most {@link #filesTogether()} files, whose order is kept. When one fails, those behind it may
     * be there.
     */
    default void uploadAll(EnvironmentBinding binding, List<GuestUpload> uploads) {
        uploads.forEach(
                each -> upload(binding, each.bytes(), each.destination(), each.previousSha256(), each.executable()));
    }

    /** {@link #read} of at most {@link #filesTogether()} files, an outcome for each path in its place. */
    default List<GuestRead> readAll(EnvironmentBinding binding, List<String> paths) {
        return paths.stream()
                .map(path -> GuestRead.of(() -> read(binding, path)))
                .toList();
    }

    /** Asks the helper to verify the pending descriptor and open the launch latch; the same bytes again are the same. */
    void prepare(EnvironmentBinding binding);

    /** @throws BerthException environment_native_unconfirmed while no native is observed */
    NativeObservation nativeIdentity(EnvironmentBinding binding);

    /** The command of a viewer. @throws BerthException environment_not_ready */
    ViewerCommand connect(EnvironmentBinding binding);

    /** Sends one TERM to exactly {@code observed}; {@code eligible} is asked right before the dispatch. */
    default void stopNative(
            EnvironmentBinding binding, NativeObservation observed, String effectId, BooleanSupplier eligible) {
        throw unsupported("stop-native");
    }

    default void stopCompute(EnvironmentBinding binding, String effectId, BooleanSupplier eligible) {
        throw unsupported("stop-compute");
    }

    default void deleteEnvironment(EnvironmentBinding binding, String effectId, BooleanSupplier eligible) {
        throw unsupported("delete-owned");
    }

    /**
     * The exact parts whose absence proves a deletion, as JSON that {@link #cleanupState} understands.
     *
     * @param engineSocket the provider's engine socket; null where the driver knows its own engine
     */
    default String captureCleanup(EnvironmentBinding binding, String engineSocket) {
        throw unsupported("capture-cleanup");
    }

    /** What is still there of the parts in {@code inventory}; null when none was captured. */
    default DependentObservation cleanupState(EnvironmentBinding binding, String inventory) {
        throw unsupported("cleanup-state");
    }

    /** The one history file of {@code observed}. */
    default List<GuestFile> checkpointFiles(EnvironmentBinding binding, NativeObservation observed) {
        throw unsupported("checkpoint");
    }

    /**
     * What runs in the environment beside Berth's own helper, a process each with its number inside and its program; at
     * most 100. Null when this driver cannot tell.
     */
    default List<String> running(EnvironmentBinding binding) {
        return null;
    }

    /** What this driver does not enforce of the binding's policy, a sentence each; empty when it enforces all. */
    default List<String> unenforced(EnvironmentBinding binding) {
        return List.of();
    }

    /** What the environment refused to let out, newest last, a sentence each with time, host and port; at most 100. */
    default List<String> egressRefusals(EnvironmentBinding binding) {
        return List.of();
    }

    private static BerthException unsupported(String operation) {
        return new BerthException(
                ProblemCode.ENVIRONMENT_EFFECT_UNSUPPORTED, "This environment's driver has no " + operation + ".");
    }
}
