package org.berth.preparer.git;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.berth.problem.BerthException;

/**
 * The work tree around a directory.
 *
 * @param top physical path of the work tree's top
 * @param metadata physical path of what all its worktrees share, such as {@code .git}
 * @param subdirectory the directory's place below the top; empty for the top
 */
record GitRepository(Path top, Path metadata, String subdirectory) {
    private static final int LINES = 3;

    /** @throws BerthException INVALID when {@code directory} is in no work tree, or git does not trust it */
    static GitRepository around(Git git, Path directory) {
        Git.Ended found = git.in(
                directory,
                "rev-parse",
                "--path-format=absolute",
                "--show-toplevel",
                "--git-common-dir",
                "--show-prefix");
        List<String> lines = found.lines();
        if (!found.good() || lines.size() != LINES) {
            throw none(null);
        }
        try {
            String prefix = lines.get(2);
            return new GitRepository(
                    Path.of(lines.get(0)).toRealPath(),
                    Path.of(lines.get(1)).toRealPath(),
                    prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - 1));
        } catch (IOException e) {
            throw none(e);
        }
    }

    /** The commit that {@code revision} names; null when it names none. */
    String commit(Git git, String revision) {
        return commit(git, metadata, revision);
    }

    /** As {@link #commit(Git, String)}, for the repository with this metadata. */
    static String commit(Git git, Path gitDirectory, String revision) {
        Git.Ended found =
                git.on(gitDirectory, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}");
        return found.good() ? found.output().strip() : null;
    }

    /** Whether a worktree has {@code branch} checked out. */
    static boolean isCheckedOut(Git git, Path metadata, String branch) {
        Git.Ended listed = git.on(metadata, "worktree", "list", "--porcelain");
        return !listed.good() || listed.lines().contains("branch refs/heads/" + branch);
    }

    private static BerthException none(Throwable cause) {
        return new BerthException(
                org.berth.problem.ProblemCode.INVALID,
                "options.worktree needs a working directory inside a git work tree that this user owns",
                cause);
    }
}
