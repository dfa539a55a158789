package org.berth.activity;

import java.util.Locale;

/** What a seat's agent does, as far as its hooks tell. Source: environments.md, Activity. */
public enum ActivityState {
    RUNNING,
    NEEDS_INPUT,
    IDLE,
    /** Nothing was told, or too long ago; never read as idle. */
    UNKNOWN;

    /** The lower-case name on the wire and in the store. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
