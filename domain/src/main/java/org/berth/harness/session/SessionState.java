package org.berth.harness.session;

/** Whether a session takes work. */
public enum SessionState {
    /** It takes entries, calls and jobs. */
    OPEN,
    /** Its worker, kernel and jobs were stopped; it takes nothing until it is reopened. */
    ENDED
}
