package org.berth.environment;

import java.util.Locale;

/** OWNED environments were created by Berth; ATTACHED ones are only used, never stopped or deleted. */
public enum Ownership {
    OWNED,
    ATTACHED;

    /** The lower-case name with hyphens. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
