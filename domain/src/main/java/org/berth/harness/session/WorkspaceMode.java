package org.berth.harness.session;

/** Where a child session works. Source: harness.md, Isolated workspaces. */
public enum WorkspaceMode {
    /** In the given directory itself. */
    SHARED,
    /** In a copy of the parent's workspace, which is handed back at the child's end. */
    ISOLATED
}
