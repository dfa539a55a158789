package org.berth.placement;

/** What the supervisor knows of one attempt. */
public enum RunnerState {
    SPAWNING,
    RUNNING,
    EXITED,
    UNCERTAIN,
    NOT_STARTED
}
