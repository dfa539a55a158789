/**
 * Preparers of working directories: the extension point that makes a launch's directory its own, such as a worktree,
 * and takes it away again. Entry point: {@code WorkdirPreparer}. Depends on java.base, {@code org.berth.placement} and
 * {@code org.berth.problem} only.
 */
package org.berth.preparer;
