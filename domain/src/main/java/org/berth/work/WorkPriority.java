package org.berth.work;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How pressing a work item is. Source: environments.md, Work queue. */
public enum WorkPriority {
    ROUTINE,
    URGENT,
    CRITICAL;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The priority whose wire name is exactly {@code name}. */
    public static Optional<WorkPriority> parse(String name) {
        return Arrays.stream(values())
                .filter(priority -> priority.wire().equals(name))
                .findFirst();
    }
}
