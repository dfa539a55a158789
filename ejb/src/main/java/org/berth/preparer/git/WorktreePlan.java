package org.berth.preparer.git;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.berth.preparer.WorkdirPreparer;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Decides where a launch's worktree goes and on which branch. Reads only. */
record WorktreePlan(Git git) {
    /** The directory that holds worktrees. It ignores itself, so that a work tree around it does not see it. */
    static final String CONTAINER = ".berth-worktrees";

    private static final int KEY_CHARS = 8;
    private static final int ID_CHARS = 60;

    /** @throws BerthException INVALID, DENIED or CONFLICT */
    WorktreeState of(WorkdirPreparer.Context context, WorktreeOption option) {
        Path at = context.workingDirectory();
        if (context.writeRoots().stream().noneMatch(at::startsWith)) {
            throw denied("options.worktree needs a working directory with a write grant; where a copy is asked for as"
                    + " well, workdir_preparers names git-worktree before isolated-copy");
        }
        if (!Files.isDirectory(at)) {
            throw BerthException.invalid("options.worktree needs a working directory that is there at the start");
        }
        String name = name(context);
        String branch = option.branch() == null ? "berth/" + name : option.branch();
        String ref = "refs/heads/" + branch;
        GitRepository.WithCommits found =
                GitRepository.around(git, at, option.base() == null ? GitRepository.HEAD : option.base(), ref);
        GitRepository repository = found.repository();
        if (context.writeRoots().stream().noneMatch(repository.metadata()::startsWith)) {
            throw denied("options.worktree writes to the repository's metadata in " + repository.metadata()
                    + ", which no write grant of this launch covers; issue a write grant for that directory and name"
                    + " it in resources");
        }
        Path worktree = container(context, repository, at).resolve(name);
        String tip = found.first() == null ? repository.commit(git, ref) : found.second();
        if (tip != null) {
            requireFree(repository, option, branch);
            return new WorktreeState(repository.metadata(), worktree, branch, false, "", repository.subdirectory());
        }
        return new WorktreeState(
                repository.metadata(), worktree, branch, true, base(found, option), repository.subdirectory());
    }

    private void requireFree(GitRepository repository, WorktreeOption option, String branch) {
        if (option.branch() == null || option.base() != null) {
            throw BerthException.conflict("the branch " + branch
                    + " is there already; leave options.worktree.base out to work on it, or name another branch");
        }
        if (GitRepository.isCheckedOut(git, repository.metadata(), branch)) {
            throw BerthException.conflict(
                    "the branch " + branch + " is checked out in another worktree; name another branch");
        }
    }

    private static String base(GitRepository.WithCommits found, WorktreeOption option) {
        if (found.first() == null) {
            throw BerthException.invalid(
                    option.base() == null
                            ? "options.worktree needs a repository with a commit"
                            : "options.worktree.base names no commit of the repository");
        }
        return found.first();
    }

    /** Beside the repository where a write grant allows it, else in its top directory, else in the write root. */
    private Path container(WorkdirPreparer.Context context, GitRepository repository, Path at) {
        Path root =
                context.writeRoots().stream().filter(at::startsWith).findFirst().orElseThrow();
        Path above = Stream.of(repository.top().getParent(), repository.top(), root)
                .filter(each -> each != null && context.writeRoots().stream().anyMatch(each::startsWith))
                .findFirst()
                .orElseThrow();
        Path container = above.resolve(CONTAINER);
        if (Files.exists(container, LinkOption.NOFOLLOW_LINKS)) {
            requireUsable(repository, container);
        }
        return container;
    }

    private void requireUsable(GitRepository repository, Path container) {
        if (!Files.isDirectory(container, LinkOption.NOFOLLOW_LINKS)) {
            throw BerthException.conflict(container + " is no directory; worktrees of launches go there");
        }
        if (container.startsWith(repository.top())) {
            Git.Ended tracked = git.in(container, "ls-files", "--", ".");
            if (!tracked.complete() || !tracked.output().isEmpty()) {
                throw BerthException.conflict("the repository tracks files in " + container
                        + ", where worktrees of launches go; grant the directory above the repository");
            }
        }
    }

    /** Readable, and no other attempt's. */
    private static String name(WorkdirPreparer.Context context) {
        String id = context.attemptId().replaceAll("[^A-Za-z0-9_-]+", "-");
        return id.substring(0, Math.min(id.length(), ID_CHARS)) + "-"
                + context.attemptKey().substring(0, KEY_CHARS);
    }

    private static BerthException denied(String sentence) {
        return new BerthException(ProblemCode.DENIED, sentence);
    }

    /** The file that makes the container ignore itself, and its content. */
    static final String IGNORE_FILE = ".gitignore";

    static final List<String> IGNORE_ALL = List.of("*");
}
