package org.berth.preparer.git;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/** Looks for what would be lost with a worktree. Each answer is a reason to keep it; null for none. */
record WorktreeCleanliness(Git git) {
    /** What its head holds that no branch or tag has, and what is not finished. */
    String ofHead(Path metadata, WorktreeLink link) throws IOException {
        if (link.isMidway()) {
            return "a merge, rebase, cherry-pick or revert is not finished";
        }
        if (link.hasModules()) {
            return "it has submodules with repositories of their own";
        }
        String head = link.detachedHead();
        if (head == null) {
            return null;
        }
        Git.Ended containing = git.on(metadata, "for-each-ref", "--count=1", "--contains", head);
        return containing.good() && !containing.output().isBlank() ? null : "its commits are on no branch";
    }

    /** What its files hold that was not committed. Nothing is believed that an agent can set in the index. */
    String ofFiles(Path worktree, WorktreeLink link) throws IOException {
        if (!link.isLinkedFrom(worktree)) {
            return "its link to the repository was changed";
        }
        if (hasRepositories(worktree)) {
            return "it has other repositories in it";
        }
        boolean refreshed = git.on(link.directory(), worktree, List.of("update-index", "--really-refresh"))
                .good();
        Git.Ended status = git.on(
                link.directory(),
                worktree,
                List.of(
                        "-c",
                        "core.sparseCheckout=true",
                        "-c",
                        "sparse.expectFilesOutsideOfPatterns=false",
                        "status",
                        "--porcelain",
                        "-z",
                        "--no-renames",
                        "--untracked-files=normal",
                        "--ignore-submodules=none"));
        if (!status.good()) {
            return status.complete() ? "git cannot tell what changed in it" : "too much changed in it to be counted";
        }
        List<String> entries =
                status.output().isEmpty() ? List.of() : List.of(status.output().split("\0"));
        long untracked =
                entries.stream().filter(entry -> entry.startsWith("??")).count();
        if (!entries.isEmpty()) {
            return (entries.size() - untracked) + " changed and " + untracked + " untracked paths are not committed";
        }
        return refreshed ? null : "files changed that git was told not to look at";
    }

    /** A repository inside may have commits that are nowhere else, even where this one ignores it. */
    private static boolean hasRepositories(Path worktree) throws IOException {
        boolean[] found = new boolean[1];
        Files.walkFileTree(worktree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                found[0] |= !directory.equals(worktree) && Files.exists(directory.resolve(".git"));
                return found[0] ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                return FileVisitResult.CONTINUE;
            }
        });
        return found[0];
    }
}
