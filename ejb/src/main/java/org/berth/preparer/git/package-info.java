/**
 * The preparer {@code git-worktree}: a launch works in a worktree of its own on a branch of its own. Entry point: {@link
 * org.berth.preparer.git.GitWorktreePreparer}. Uses the domain's preparers, files and host commands, and the host. All of
 * git runs as a bounded command of the supervisor; nothing that a repository configures is executed.
 */
package org.berth.preparer.git;
