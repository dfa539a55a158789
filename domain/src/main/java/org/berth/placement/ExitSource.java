package org.berth.placement;

/** Who proved the exit: the wait on the child, a proven absence, or that nothing was ever started. */
public enum ExitSource {
    RUNNER,
    RECONCILE,
    NOT_STARTED
}
