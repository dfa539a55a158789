package org.berth.guest.request;

import java.util.List;
import java.util.Set;

/**
 * One request to the helper, by the reference's options; an option that is absent is null or false.
 *
 * @param previous sha256 of what the destination holds, or {@code missing}
 * @param mode permissions of an installed file
 */
public record Request(
        String root,
        String read,
        String stat,
        String stage,
        String install,
        String put,
        String destination,
        String previous,
        int mode,
        boolean prepare,
        boolean identity,
        String stopNative,
        String generation,
        boolean checkpointFiles) {
    /** The guest root where none is named. Source: the reference's helper. */
    public static final String DEFAULT_ROOT = "/sandbox/openrig";

    private static final Set<String> FLAGS = Set.of("--prepare", "--identity", "--checkpoint-files");
    private static final Set<String> VALUES = Set.of(
            "--root",
            "--read",
            "--stat",
            "--stage",
            "--install",
            "--put",
            "--destination",
            "--previous",
            "--mode",
            "--stop-native",
            "--generation");

    /** Whether {@code option} takes a value. */
    public static boolean takesValue(String option) {
        return VALUES.contains(option);
    }

    /** Whether {@code option} stands alone. */
    public static boolean isFlag(String option) {
        return FLAGS.contains(option);
    }

    /**
     * Reads options; {@code --option=value} is {@code --option value}.
     *
     * @throws IllegalArgumentException for an unknown option, a missing value or an unknown mode
     */
    public static Request parse(List<String> arguments) {
        return new RequestParser().parse(arguments);
    }

    /** Whether nothing is asked for: the launch latch. */
    public boolean isLatch() {
        return read == null
                && stat == null
                && stage == null
                && install == null
                && put == null
                && stopNative == null
                && !prepare
                && !identity
                && !checkpointFiles;
    }
}
