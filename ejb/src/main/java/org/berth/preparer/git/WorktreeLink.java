package org.berth.preparer.git;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a repository keeps of one of its worktrees, read as files: a command for each would double the time of a setup.
 * Source: gitrepository-layout(5), worktrees.
 *
 * @param directory such as {@code .git/worktrees/NAME}
 */
record WorktreeLink(Path directory) {
    /** The lock that git itself holds until a new worktree is checked out. Source: git's builtin/worktree.c. */
    private static final String UNFINISHED = "initializing";

    private static final List<String> UNDER_WAY =
            List.of("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply");

    /** The link of the worktree at {@code worktree}; null when the repository knows none there. */
    static WorktreeLink of(Path metadata, Path worktree) throws IOException {
        String wanted = worktree.resolve(".git").toString();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(metadata.resolve("worktrees"))) {
            for (Path each : all) {
                if (wanted.equals(read(each.resolve("gitdir")))) {
                    return new WorktreeLink(each);
                }
            }
        } catch (NoSuchFileException e) {
            return null;
        }
        return null;
    }

    /** The metadata that all worktrees of a repository share. */
    static Path commonOf(Path gitDirectory) throws IOException {
        String common = read(gitDirectory.resolve("commondir"));
        return common == null ? gitDirectory : gitDirectory.resolve(common).normalize();
    }

    /** Whether the making of the worktree was cut. */
    boolean isUnfinished() throws IOException {
        return UNFINISHED.equals(read(locked()));
    }

    boolean isLocked() throws IOException {
        return Files.exists(locked()) && !isUnfinished();
    }

    Path locked() {
        return directory.resolve("locked");
    }

    /** Whether anything was checked out. */
    boolean hasIndex() {
        return Files.exists(directory.resolve("index"));
    }

    /** The commit of a head that is on no branch; null when it is on one. */
    String detachedHead() throws IOException {
        String head = read(directory.resolve("HEAD"));
        return head == null || head.startsWith("ref:") ? null : head;
    }

    /** Whether a merge, a rebase or the like is not finished. */
    boolean isMidway() {
        return UNDER_WAY.stream().anyMatch(name -> Files.exists(directory.resolve(name)));
    }

    /** Whether repositories of submodules are kept with it. */
    boolean hasModules() throws IOException {
        Path modules = directory.resolve("modules");
        return Files.isDirectory(modules) && !isEmpty(modules);
    }

    /** Whether {@code worktree}'s own link leads back here. */
    boolean isLinkedFrom(Path worktree) throws IOException {
        Path link = worktree.resolve(".git");
        return Files.isRegularFile(link, LinkOption.NOFOLLOW_LINKS) && ("gitdir: " + directory).equals(read(link));
    }

    static boolean isEmpty(Path directory) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            return !entries.iterator().hasNext();
        }
    }

    private static String read(Path file) throws IOException {
        return Files.isRegularFile(file) ? Files.readString(file).strip() : null;
    }
}
