package org.berth.process.supervisor;

import java.util.Locale;

/**
 * The steps between two durable writes at which a test ends the supervisor without notice. {@code -Dberth.fault=NAME}
 * (the constant in lower case) chooses one; without it nothing ends.
 */
public enum FaultPoint {
    BEFORE_SPAWNING_JOURNALLED,
    AFTER_SPAWNING_JOURNALLED,
    AFTER_SPAWN_BEFORE_SPAWNED_JOURNALLED,
    AFTER_SPAWNED_JOURNALLED,
    BEFORE_EXIT_JOURNALLED,
    AFTER_EXIT_JOURNALLED,
    STOP_BETWEEN_TERM_AND_KILL,
    BEFORE_FENCE_JOURNALLED,
    AFTER_FENCE_JOURNALLED,
    BEFORE_CHANNEL_STORED,
    AFTER_CHANNEL_STORED,
    AFTER_CHANNEL_OPENED,
    AFTER_CHANNEL_HELPER_STORED,
    AFTER_CHANNEL_SOCKETS_REMOVED;

    private static final String CHOSEN = System.getProperty("berth.fault", "");

    /** The status that a chosen point ends the supervisor with. */
    public static final int STATUS = 137;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Ends the process here if this point was chosen. */
    public void pass() {
        if (!CHOSEN.isEmpty() && CHOSEN.equals(wire())) {
            Runtime.getRuntime().halt(STATUS);
        }
    }
}
