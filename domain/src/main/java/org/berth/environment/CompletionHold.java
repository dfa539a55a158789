package org.berth.environment;

import java.util.Locale;

/** Why a selected completion is not carried out now. Wire names are the lower-case names with hyphens. */
public enum CompletionHold {
    /** The binding is gone, or has another generation or another compute. */
    BINDING_CHANGED,
    /** The work item is gone or is another seat's. */
    TASK_CHANGED,
    /** The work item is not closed as done. */
    TASK_NOT_DONE,
    /** The work item was closed as done with another reason than no-follow-on. */
    TASK_HAS_FOLLOW_ON,
    /** There is no confirmed export of that id for this work item and generation. */
    EXPORT_MISSING,
    /** The exported file of this host is gone or holds other bytes than its receipt says. */
    EXPORT_CHANGED;

    public String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
