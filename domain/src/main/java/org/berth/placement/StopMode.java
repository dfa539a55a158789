package org.berth.placement;

/** TERM and, after the grace, KILL; or KILL at once. */
public enum StopMode {
    COOPERATIVE,
    FORCED
}
