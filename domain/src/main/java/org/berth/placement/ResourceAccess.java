package org.berth.placement;

/** Access to a directory; WRITE includes READ. */
public enum ResourceAccess {
    READ,
    WRITE
}
