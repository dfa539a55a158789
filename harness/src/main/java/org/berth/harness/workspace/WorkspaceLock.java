package org.berth.harness.workspace;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.berth.problem.BerthException;

/** Keeps other calls away from a workspace, those of other processes too; ends with its process. */
record WorkspaceLock(FileChannel channel) implements AutoCloseable {
    /** @throws BerthException CONFLICT when another call has it */
    static WorkspaceLock of(Layout layout) throws IOException {
        FileChannel channel = FileChannel.open(
                layout.lock(),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        boolean locked = false;
        try {
            locked = lock(channel);
        } finally {
            if (!locked) {
                channel.close();
            }
        }
        if (!locked) {
            throw BerthException.conflict("the workspace " + layout.directory() + " is being worked on");
        }
        return new WorkspaceLock(channel);
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            // A thread of this process has it.
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
