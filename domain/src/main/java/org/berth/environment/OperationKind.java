package org.berth.environment;

import java.util.Locale;

/** What a journalled operation does. Wire names are the lower-case names with hyphens. */
public enum OperationKind {
    CREATE,
    ATTACH,
    LAUNCH,
    EXPORT,
    EFFECT,
    CHECKPOINT,
    CHECKPOINT_SELECTION,
    CLEANUP_INVENTORY,
    RECREATE,
    COMPLETION;

    /** The lower-case name with hyphens. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
