package org.berth.process.supervisor.spawn;

import java.nio.file.Path;
import org.berth.placement.ExecutableKind;
import org.berth.process.supervisor.os.Descriptors;

/**
 * A file that was opened once, measured through that descriptor, and is executed through it.
 *
 * @param fd -1 when the file may be executed but not read
 * @param path as it was asked for
 * @param physical without links
 * @param digest null when {@code fd} is -1
 * @param head its first bytes, at most 256
 */
record OpenedFile(
        int fd, Path path, Path physical, FileIdentity identity, ExecutableKind kind, String digest, byte[] head)
        implements AutoCloseable {
    /** How another process of this user finds the descriptor, while we hold it open. */
    String descriptorPath() {
        return "/proc/" + ProcessHandle.current().pid() + "/fd/" + fd;
    }

    @Override
    public void close() {
        Descriptors.close(fd);
    }
}
