/**
 * Isolated workspaces: a child works in a copy of its parent's files, and at its end its changes are taken back path by
 * path. Entry point: {@link org.berth.harness.workspace.IsolatedWorkspace}. Uses the harness' tree and ignore rules, the
 * domain's files and problems, and JSON-P.
 */
package org.berth.harness.workspace;
