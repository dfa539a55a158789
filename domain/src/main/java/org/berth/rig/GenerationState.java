package org.berth.rig;

/** An occupant generation: reserved only, the seat's present one, or replaced by a later one. */
public enum GenerationState {
    PENDING,
    CURRENT,
    STALE
}
