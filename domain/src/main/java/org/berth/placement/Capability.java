package org.berth.placement;

/** The scope whose absence a cleanup proves, weakest first. */
public enum Capability {
    DIRECT_PROCESS,
    PROCESS_GROUP,
    CONTAINED_TREE
}
