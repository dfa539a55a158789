package org.berth.preparer.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.files.Trees;
import org.berth.preparer.WorkdirPreparer.Cleanup;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Removes a worktree that holds nothing of its own, and its branch when nothing was committed to it. Never by force: what
 * is in doubt stays where it is. The worktree is renamed before it is removed, so that a removal that was cut goes on.
 */
record WorktreeCleanup(Git git) {
    /** @throws BerthException when git cannot be asked, or refused what it should not refuse */
    Cleanup of(WorktreeState state) throws IOException {
        boolean there = Files.exists(state.worktree(), LinkOption.NOFOLLOW_LINKS);
        if (!Files.isDirectory(state.metadata())) {
            if (there) {
                return retained(state, "the repository of the worktree is gone");
            }
            removeAside(state);
            return new Cleanup(null, Map.of("branch", state.branch(), "branch_kept", false));
        }
        WorktreeLink link = WorktreeLink.of(state.metadata(), state.worktree());
        String reason = link == null ? unlinked(state, there) : kept(state, link, there);
        if (reason != null) {
            return retained(state, reason);
        }
        if (link != null) {
            unlink(state, link, there);
        }
        removeAside(state);
        return new Cleanup(null, branch(state));
    }

    private static void removeAside(WorktreeState state) throws IOException {
        if (Files.isDirectory(state.container().getParent())) {
            Trees.remove(state.container().getParent(), state.aside());
            WorktreeContainer.removeEmpty(state.container());
        }
    }

    /** Why a directory stays that the repository does not know; an empty one is what a setup that was cut left. */
    private static String unlinked(WorktreeState state, boolean there) throws IOException {
        if (!there) {
            return null;
        }
        if (!isOurs(state) || !WorktreeLink.isEmpty(state.worktree())) {
            return "the directory is no worktree of the repository any more";
        }
        Files.delete(state.worktree());
        return null;
    }

    private String kept(WorktreeState state, WorktreeLink link, boolean there) throws IOException {
        if (!there && Files.exists(state.aside(), LinkOption.NOFOLLOW_LINKS)) {
            // It was found clean by a cleanup that was cut.
            return null;
        }
        if (link.isLocked()) {
            return "the worktree is locked; git worktree unlock releases it";
        }
        String head = new WorktreeCleanliness(git).ofHead(state.metadata(), link);
        if (head != null || !there) {
            return head;
        }
        if (!isOurs(state)) {
            return "the worktree's place leads elsewhere by now";
        }
        if (link.isUnfinished() && !link.hasIndex()) {
            return null;
        }
        return new WorktreeCleanliness(git).ofFiles(state.worktree(), link);
    }

    /** A directory, where the plan put it, through no link. */
    private static boolean isOurs(WorktreeState state) throws IOException {
        return Files.isDirectory(state.worktree(), LinkOption.NOFOLLOW_LINKS)
                && state.worktree().toRealPath().equals(state.worktree());
    }

    private void unlink(WorktreeState state, WorktreeLink link, boolean there) throws IOException {
        if (there) {
            Files.move(state.worktree(), state.aside(), StandardCopyOption.ATOMIC_MOVE);
        }
        if (link.isUnfinished()) {
            Files.delete(link.locked());
        }
        Git.Ended removed = git.on(
                state.metadata(), "worktree", "remove", "--", state.worktree().toString());
        if (!removed.good()) {
            if (there) {
                Files.move(state.aside(), state.worktree(), StandardCopyOption.ATOMIC_MOVE);
            }
            throw new BerthException(
                    ProblemCode.CONFLICT, "git did not remove the worktree (exit " + removed.code() + ")");
        }
    }

    /** Removes the branch that was made for it when it is where it began, with a comparison in the same step. */
    private Map<String, Object> branch(WorktreeState state) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("branch", state.branch());
        String tip = GitRepository.commit(git, state.metadata(), "refs/heads/" + state.branch());
        boolean remove = state.created()
                && state.base().equals(tip)
                && !GitRepository.isCheckedOut(git, state.metadata(), state.branch())
                && git.on(state.metadata(), "update-ref", "-d", "refs/heads/" + state.branch(), tip)
                        .good();
        detail.put("branch_kept", tip != null && !remove);
        if (tip != null && !remove && state.created()) {
            Git.Ended counted = git.on(state.metadata(), "rev-list", "--count", state.base() + ".." + tip);
            detail.put(
                    "commits", counted.good() ? Long.parseLong(counted.output().strip()) : -1L);
        }
        return detail;
    }

    private static Cleanup retained(WorktreeState state, String reason) {
        return new Cleanup(reason, Map.of("worktree", state.worktree().toString(), "branch", state.branch()));
    }
}
