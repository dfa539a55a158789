package org.berth.retention;

/** Implemented by each feature whose records refer to operations or bindings; every one is asked before any is removed. */
public interface RetentionReferences {
    /** Adds what this feature's records refer to now. Joins the caller's transaction. */
    void addTo(RetentionHolds.Builder holds);
}
