package org.berth.work;

import java.util.Arrays;
import java.util.Optional;

/** Why a work item was closed. Source: environments.md, Work queue. */
public enum ClosureReason {
    NO_FOLLOW_ON("no-follow-on", false),
    HANDED_OFF_TO("handed_off_to", true),
    BLOCKED_ON("blocked_on", true),
    DENIED("denied", false),
    CANCELED("canceled", false),
    ESCALATION("escalation", true);

    private final String wire;
    private final boolean needsTarget;

    ClosureReason(String wire, boolean needsTarget) {
        this.wire = wire;
        this.needsTarget = needsTarget;
    }

    public String wire() {
        return wire;
    }

    /** Whether it says nothing without the seat or item that it points to. */
    public boolean needsTarget() {
        return needsTarget;
    }

    /** The reason whose wire name is exactly {@code name}. */
    public static Optional<ClosureReason> parse(String name) {
        return Arrays.stream(values())
                .filter(reason -> reason.wire.equals(name))
                .findFirst();
    }
}
