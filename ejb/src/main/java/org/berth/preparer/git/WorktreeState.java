package org.berth.preparer.git;

import java.nio.file.Path;
import java.util.Map;

/**
 * The recorded plan of one worktree.
 *
 * @param metadata the repository's metadata, physical
 * @param worktree where it goes, physical
 * @param branch what is checked out in it
 * @param created whether the branch is made for it
 * @param base the commit where a made branch starts; empty for a branch that was there
 * @param subdirectory the agent's directory below the worktree; empty for its top
 */
record WorktreeState(Path metadata, Path worktree, String branch, boolean created, String base, String subdirectory) {
    static WorktreeState of(Map<String, Object> state) {
        return new WorktreeState(
                Path.of((String) state.get("metadata")),
                Path.of((String) state.get("worktree")),
                (String) state.get("branch"),
                (Boolean) state.get("created"),
                (String) state.get("base"),
                (String) state.get("subdirectory"));
    }

    Map<String, Object> toMap() {
        return Map.of(
                "metadata", metadata.toString(),
                "worktree", worktree.toString(),
                "branch", branch,
                "created", created,
                "base", base,
                "subdirectory", subdirectory);
    }

    Path directory() {
        return subdirectory.isEmpty() ? worktree : worktree.resolve(subdirectory);
    }

    /** The directory of worktrees that it lies in. */
    Path container() {
        return worktree.getParent();
    }

    /** Its name while it is being removed. */
    Path aside() {
        return worktree.resolveSibling(".removing-" + worktree.getFileName());
    }
}
