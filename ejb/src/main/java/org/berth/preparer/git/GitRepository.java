package org.berth.preparer.git;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.berth.problem.BerthException;

/**
 * The work tree around a directory.
 *
 * @param top physical path of the work tree's top
 * @param metadata physical path of what all its worktrees share, such as {@code .git}
 * @param subdirectory the directory's place below the top; empty for the top
 */
record GitRepository(Path top, Path metadata, String subdirectory) {
    /** What is checked out. */
    static final String HEAD = "HEAD";

    private static final int LINES = 3;
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40,64}");

    /** What git answers to {@code --is-inside-work-tree}. */
    private static final String BETWEEN = "true";

    /**
     * A repository with two commits of it.
     *
     * @param first null when its revision names none; then of {@code second} nothing is known
     * @param second null when its revision names none
     */
    record WithCommits(GitRepository repository, String first, String second) {}

    /**
     * As {@link #asked}, but without a command where an ordinary repository's files tell it.
     *
     * @param directory physical
     */
    static WithCommits around(Git git, Path directory, String first, String second) {
        return (first.equals(HEAD) ? OrdinaryRepository.read(directory, second) : Optional.<WithCommits>empty())
                .orElseGet(() -> asked(git, directory, first, second));
    }

    /**
     * Asks git once.
     *
     * @param first a revision that does not look like an option
     * @param second as {@code first}
     * @throws BerthException INVALID when {@code directory} is in no work tree, or git does not trust it
     */
    static WithCommits asked(Git git, Path directory, String first, String second) {
        // The answer between the two tells one from the other; behind what names no commit git answers nothing more.
        Git.Ended found = git.in(
                directory,
                "rev-parse",
                "--path-format=absolute",
                "--show-toplevel",
                "--git-common-dir",
                "--show-prefix",
                "--quiet",
                "--revs-only",
                first + "^{commit}",
                "--is-inside-work-tree",
                second + "^{commit}");
        List<String> lines = found.lines();
        if (!found.good() || lines.size() < LINES) {
            throw none(null);
        }
        try {
            String prefix = lines.get(2);
            GitRepository repository = new GitRepository(
                    Path.of(lines.get(0)).toRealPath(),
                    Path.of(lines.get(1)).toRealPath(),
                    prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - 1));
            return commits(repository, lines.subList(LINES, lines.size()));
        } catch (IOException e) {
            throw none(e);
        }
    }

    /** A range has more lines than one before {@link #BETWEEN}, and what it leaves out begins with a sign. */
    private static WithCommits commits(GitRepository repository, List<String> lines) {
        if (lines.size() < 2
                || !COMMIT.matcher(lines.get(0)).matches()
                || !lines.get(1).equals(BETWEEN)) {
            return new WithCommits(repository, null, null);
        }
        return new WithCommits(repository, lines.get(0), lines.size() > 2 ? lines.get(2) : null);
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
