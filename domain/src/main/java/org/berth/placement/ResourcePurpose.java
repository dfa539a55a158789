package org.berth.placement;

/** What a directory is for. */
public enum ResourcePurpose {
    PROJECT,
    OUTPUT,
    CACHE,
    SESSION
}
