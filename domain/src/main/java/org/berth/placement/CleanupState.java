package org.berth.placement;

/** What is recorded about the removal of an attempt's home. Independent of {@link ExecutionState}. */
public enum CleanupState {
    PENDING,
    UNCERTAIN,
    COMPLETE
}
