package org.berth.environment;

import java.util.Locale;

/** How far a journalled operation is; only the one who moves INTENT to REQUESTED calls the provider. */
public enum OperationState {
    INTENT,
    REQUESTED,
    CONFIRMED,
    REFUSED;

    /** The lower-case name with hyphens. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
