/**
 * The preparer {@code isolated-copy}: a launch works in a copy of its directory, and its changes are taken back path by
 * path at its end. Entry point: {@link org.berth.preparer.copy.IsolatedCopyPreparer}. Uses the domain's preparers and the
 * harness' isolated workspaces.
 */
package org.berth.preparer.copy;
