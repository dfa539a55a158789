package org.berth.harness.session;

/** How far a workspace of its own is. */
public enum WorkspaceState {
    /** Its files are being copied; one whose copy was cut by the server's end stays so. */
    PREPARING,
    /** It is worked in. */
    READY,
    /** Its changes are home, and its directory leads to the parent's. */
    HANDED_BACK
}
