package org.berth.preparer;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** How far a recorded plan is. Source: placement.md, Preparers. */
public enum PreparerPhase {
    /** Recorded; its setup may or may not have run. */
    PLANNED,
    /** Its setup ended. */
    SET_UP,
    /** What setup made is gone. */
    CLEANED,
    /** What setup made stays, for a recorded reason; nobody comes back to it. */
    RETAINED,
    /** Its cleanup could not be done; the sweep repeats it. */
    FAILED;

    /** Whether a cleanup has come to its end. */
    public boolean isSettled() {
        return this == CLEANED || this == RETAINED;
    }

    /** The phases that this one may follow. */
    public Set<PreparerPhase> after() {
        return switch (this) {
            case PLANNED -> Set.of();
            case SET_UP -> Set.of(PLANNED);
            case CLEANED, RETAINED, FAILED -> Set.of(PLANNED, SET_UP, FAILED);
        };
    }

    /** Those that a cleanup still has to come for. */
    public static List<PreparerPhase> outstanding() {
        return Arrays.stream(values()).filter(phase -> !phase.isSettled()).toList();
    }
}
