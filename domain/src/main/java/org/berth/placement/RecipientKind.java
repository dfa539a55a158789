package org.berth.placement;

/** Who consumes output when nobody is attached: nobody (the spool waits), or the log on disk. */
public enum RecipientKind {
    STREAM,
    LOG
}
