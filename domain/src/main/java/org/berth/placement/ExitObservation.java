package org.berth.placement;

/** How an exit is learnt: by its own handle, or only after both streams ended. */
public enum ExitObservation {
    INDEPENDENT,
    EOF_GATED
}
