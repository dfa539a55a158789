package org.berth.preparer.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.berth.files.Trees;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Makes the worktree of a recorded plan; one that is there stays, one whose making was cut is made anew. */
record WorktreeSetup(Git git) {
    /** @throws BerthException CONFLICT when something else is at its place or on its branch; UNAVAILABLE */
    void make(WorktreeState state) throws IOException {
        if (!state.container().getParent().toRealPath().equals(state.container().getParent())) {
            throw new BerthException(ProblemCode.DENIED, "the place of the worktree leads elsewhere by now");
        }
        WorktreeLink link = WorktreeLink.of(state.metadata(), state.worktree());
        if (link == null || !isMade(state, link)) {
            requireNothing(state);
            WorktreeContainer.make(state);
            add(state);
        }
        makeSubdirectory(state);
    }

    private static boolean isMade(WorktreeState state, WorktreeLink link) throws IOException {
        if (link.isUnfinished()) {
            // The agent starts after the setup: there is nothing of its in here.
            Trees.remove(state.container().getParent(), state.worktree());
            Trees.remove(state.metadata(), link.directory());
            return false;
        }
        if (!link.isLinkedFrom(state.worktree())) {
            throw BerthException.conflict("the attempt's worktree was removed or replaced since it was made");
        }
        return true;
    }

    private static void requireNothing(WorktreeState state) throws IOException {
        if (Files.exists(state.worktree(), LinkOption.NOFOLLOW_LINKS)
                && !(Files.isDirectory(state.worktree(), LinkOption.NOFOLLOW_LINKS)
                        && WorktreeLink.isEmpty(state.worktree()))) {
            throw BerthException.conflict("something else is at " + state.worktree() + ", where the worktree goes");
        }
    }

    private void add(WorktreeState state) {
        Git.Ended added = state.created()
                ? add(
                        state,
                        List.of("-b", state.branch(), "--", state.worktree().toString(), state.base()))
                : add(state, List.of("--", state.worktree().toString(), state.branch()));
        if (!added.good() && added.complete() && state.created()) {
            added = addOnOwnBranch(state, added);
        }
        if (!added.good()) {
            throw new BerthException(
                    ProblemCode.CONFLICT,
                    added.complete()
                            ? "git did not make the worktree (exit " + added.code()
                                    + "); see what git worktree add says"
                            : "git did not make the worktree within its time");
        }
    }

    /** A setup that was cut may have made the branch before. */
    private Git.Ended addOnOwnBranch(WorktreeState state, Git.Ended before) {
        String tip = GitRepository.commit(git, state.metadata(), "refs/heads/" + state.branch());
        if (tip == null) {
            return before;
        }
        if (!tip.equals(state.base())) {
            throw BerthException.conflict("somebody else made the branch " + state.branch() + " meanwhile");
        }
        return add(state, List.of("--", state.worktree().toString(), state.branch()));
    }

    private Git.Ended add(WorktreeState state, List<String> arguments) {
        List<String> all = new java.util.ArrayList<>(List.of("worktree", "add", "--quiet"));
        all.addAll(arguments);
        return git.on(state.metadata(), null, all);
    }

    /** The agent's own directory may hold nothing that git tracks. A link in its way is not followed. */
    private static void makeSubdirectory(WorktreeState state) throws IOException {
        Path made = state.worktree();
        for (Path name : state.worktree().relativize(state.directory())) {
            made = made.resolve(name);
            if (Files.isSymbolicLink(made)) {
                throw new BerthException(
                        ProblemCode.DENIED, "the working directory's place in the worktree leads through a link");
            }
            if (!name.toString().isEmpty() && !Files.isDirectory(made)) {
                Files.createDirectory(made);
            }
        }
    }
}
