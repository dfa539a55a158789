/**
 * Which files of a directory git would keep: the tracked ones and the untracked ones that no rule ignores. Entry point:
 * {@link org.berth.harness.ignore.TreeListing}. Uses the harness' tree, and JGit for ignore rules and configuration; starts
 * no program and writes nothing.
 */
package org.berth.harness.ignore;
