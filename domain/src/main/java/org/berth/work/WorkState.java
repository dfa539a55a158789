package org.berth.work;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Where a work item stands. Source: environments.md, Work queue. */
public enum WorkState {
    PENDING,
    IN_PROGRESS,
    BLOCKED,
    DONE,
    FAILED,
    DENIED,
    CANCELED,
    HANDED_OFF;

    /** Whether work on it may still be done. */
    public boolean isOpen() {
        return this == PENDING || this == IN_PROGRESS || this == BLOCKED;
    }

    /** {@code IN_PROGRESS} is {@code in-progress}. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The state whose wire name is exactly {@code name}. */
    public static Optional<WorkState> parse(String name) {
        return Arrays.stream(values())
                .filter(state -> state.wire().equals(name))
                .findFirst();
    }
}
