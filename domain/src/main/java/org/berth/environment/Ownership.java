package org.berth.environment;

/** OWNED environments were created by Berth; ATTACHED ones are only used, never stopped or deleted. */
public enum Ownership {
    OWNED,
    ATTACHED
}
