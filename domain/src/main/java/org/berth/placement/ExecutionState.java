package org.berth.placement;

/** What is recorded about the run of an attempt. Changes only as {@link AttemptLifecycle} allows. */
public enum ExecutionState {
    INTENDED,
    STARTING,
    RUNNING,
    STOPPING,
    UNCERTAIN,
    EXITED
}
