package org.berth.work;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a transition did. */
public enum WorkAction {
    CREATE,
    CLAIM,
    UNCLAIM,
    UPDATE,
    REOPEN,
    HANDOFF,
    NOTE;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The action whose wire name is exactly {@code name}. */
    public static Optional<WorkAction> parse(String name) {
        return Arrays.stream(values())
                .filter(action -> action.wire().equals(name))
                .findFirst();
    }
}
