package org.berth.process.supervisor.spawn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;

/** Which content a file holds, as far as its inode tells. */
record FileIdentity(long device, long inode, long size, FileTime modified, FileTime changed, int mode) {
    private static final int TYPE = 0170000;
    private static final int REGULAR = 0100000;
    private static final int DIRECTORY = 0040000;
    private static final int ANY_EXEC = 0111;

    static FileIdentity of(Path path) throws IOException {
        Map<String, Object> all = Files.readAttributes(path, "unix:dev,ino,size,lastModifiedTime,ctime,mode");
        return new FileIdentity(
                ((Number) all.get("dev")).longValue(),
                ((Number) all.get("ino")).longValue(),
                ((Number) all.get("size")).longValue(),
                (FileTime) all.get("lastModifiedTime"),
                (FileTime) all.get("ctime"),
                (int) all.get("mode"));
    }

    static FileIdentity ofDescriptor(int fd) throws IOException {
        return of(Path.of("/proc/self/fd/" + fd));
    }

    boolean regular() {
        return (mode & TYPE) == REGULAR;
    }

    boolean directory() {
        return (mode & TYPE) == DIRECTORY;
    }

    boolean executable() {
        return (mode & ANY_EXEC) != 0;
    }
}
