package org.berth.process.supervisor;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/** Directories that only this user may enter. Source: harness.md, Local access. */
final class PrivateDirectory {
    private static final int GROUP_OR_OTHER_WRITE = 022;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private PrivateDirectory() {}

    /**
     * Makes {@code directory} with mode 0700 in one step where it is missing, and checks it either way.
     *
     * @throws IOException that names the path, what is wrong and what to do
     */
    static void require(Path directory, long uid) throws IOException {
        try {
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (FileAlreadyExistsException e) {
            // The check below decides whether it may be used.
        } catch (IOException e) {
            throw new IOException(
                    directory + " cannot be made: " + e.getClass().getSimpleName()
                            + "; make its parent directory, or name another one",
                    e);
        }
        check(directory, uid);
    }

    private static void check(Path directory, long uid) throws IOException {
        Map<String, Object> found =
                Files.readAttributes(directory, "unix:isDirectory,uid,mode", LinkOption.NOFOLLOW_LINKS);
        if (!(boolean) found.get("isDirectory")) {
            throw new IOException(directory + " is not a directory (a link is none); remove it, or name another one");
        }
        long owner = Integer.toUnsignedLong((int) found.get("uid"));
        if (owner != uid) {
            throw new IOException(
                    directory + " belongs to user " + owner + ", not to " + uid + "; remove it, or name another one");
        }
        int mode = (int) found.get("mode") & 07777;
        if ((mode & GROUP_OR_OTHER_WRITE) != 0) {
            throw new IOException(String.format(
                    "%s may be written by others (mode %o); run: chmod 700 %s", directory, mode, directory));
        }
    }

    /** Every missing directory down to {@code directory}, private, and the last one set to mode 0700. */
    static void requireTree(Path directory, long uid) throws IOException {
        Path parent = directory.getParent();
        if (parent != null && !Files.exists(parent)) {
            requireTree(parent, uid);
        }
        require(directory, uid);
    }
}
