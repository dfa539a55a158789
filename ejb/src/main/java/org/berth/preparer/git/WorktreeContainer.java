package org.berth.preparer.git;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/** The directories that hold worktrees: made with the first and removed with the last. For any thread. */
final class WorktreeContainer {
    private static final ReentrantLock LOCK = new ReentrantLock();

    private WorktreeContainer() {}

    /** Makes the worktree's empty directory, and the container around it where it is missing. */
    static void make(WorktreeState state) throws IOException {
        LOCK.lock();
        try {
            if (!Files.isDirectory(state.container(), LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(state.container());
            }
            Path ignore = state.container().resolve(WorktreePlan.IGNORE_FILE);
            if (!Files.exists(ignore, LinkOption.NOFOLLOW_LINKS)) {
                Files.write(ignore, WorktreePlan.IGNORE_ALL, StandardOpenOption.CREATE_NEW);
            }
            if (!Files.isDirectory(state.worktree(), LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(state.worktree());
            }
        } finally {
            LOCK.unlock();
        }
    }

    /** Removes a container that holds no worktree any more; one that somebody put something else into stays. */
    static void removeEmpty(Path container) throws IOException {
        LOCK.lock();
        try {
            if (!Files.isDirectory(container, LinkOption.NOFOLLOW_LINKS)) {
                return;
            }
            Path ignore = container.resolve(WorktreePlan.IGNORE_FILE);
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(container)) {
                for (Path each : entries) {
                    if (!each.equals(ignore)) {
                        return;
                    }
                }
            }
            boolean ours = Files.isRegularFile(ignore, LinkOption.NOFOLLOW_LINKS)
                    && Files.readAllLines(ignore).equals(WorktreePlan.IGNORE_ALL);
            if (ours) {
                Files.delete(ignore);
                Files.delete(container);
            }
        } finally {
            LOCK.unlock();
        }
    }
}
