package org.berth.guest.files;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.berth.guest.Refused;
import org.berth.guest.os.DirectoryWatch;
import org.berth.guest.os.Errno;
import org.berth.guest.os.FileStatus;
import org.berth.guest.os.Handle;
import org.berth.guest.os.Kernel;
import org.berth.guest.os.KernelException;

/**
 * Files under one root. Every path is walked anew from the file system's root, one opened directory at a time, and no
 * link is followed anywhere, so that a component that is swapped between or during calls leads nowhere else. Reads and
 * writes are bounded. Safe for any thread.
 */
public final class GuestFiles {
    /** Bound of a file: {@value} bytes. Source: environments.md, Guest helper. */
    public static final int MAX_BYTES = 1_048_576;

    /** Mode of private data. */
    public static final int PRIVATE = 0600;

    /** Mode of a private program. */
    public static final int PROGRAM = 0700;

    private static final int MAX_PATH = 4096;
    private static final int FIRST_READ = 65_536;
    private static final String TEMPORARY = ".openrig-";

    private final String root;
    private final List<String> rootParts;
    private final Runnable afterStatus;

    /** @throws Refused ROOT_INVALID for a root that is not absolute */
    public GuestFiles(String root) {
        this(root, () -> {});
    }

    /** @param afterStatus run between the look at a file and its reading */
    GuestFiles(String root, Runnable afterStatus) {
        if (!root.startsWith("/") || root.length() > MAX_PATH || root.indexOf('\0') >= 0) {
            throw new Refused(Refused.Code.ROOT_INVALID);
        }
        this.rootParts = parts(root);
        if (rootParts.contains("..")) {
            throw new Refused(Refused.Code.ROOT_INVALID);
        }
        this.root = "/" + String.join("/", rootParts);
        this.afterStatus = afterStatus;
    }

    /** The absolute root, without a slash at its end. */
    public String root() {
        return root;
    }

    /** The absolute path of {@code path}, which is relative to the root. */
    public String absolute(String path) {
        return root + "/" + path;
    }

    /** The absolute path of {@code path}, which may be absolute. @throws Refused for what is not under the root */
    public String resolved(String path) {
        return absolute(String.join("/", resolve(path)));
    }

    /** Makes the root where it is missing. @throws Refused ROOT_INVALID when one of its components is a link */
    public void makeRoot() {
        openRoot(true).close();
    }

    /** The bytes of a regular file that has one name only and does not change meanwhile. */
    public byte[] read(String path) {
        List<String> parts = resolve(path);
        try (Handle directory = openParent(parts, false);
                Handle file = openRegular(directory, parts.getLast())) {
            return bytes(file);
        } catch (KernelException e) {
            throw new Refused(e.errno() == Errno.ENOENT ? Refused.Code.FILE_MISSING : Refused.Code.FILE_INVALID);
        }
    }

    private static Handle openRegular(Handle directory, String name) {
        FileStatus status = directory.statusOf(name);
        if (status != null && status.isLink()) {
            throw new Refused(Refused.Code.SYMLINK);
        }
        if (status != null && !status.isRegular()) {
            throw new Refused(Refused.Code.FILE_INVALID);
        }
        return directory.file(name, Handle.O_RDONLY | Handle.O_NONBLOCK | Handle.O_NOCTTY, 0);
    }

    private byte[] bytes(Handle file) {
        FileStatus before = file.status();
        if (!before.isRegular() || before.links() != 1 || before.size() > MAX_BYTES) {
            throw new Refused(Refused.Code.FILE_INVALID);
        }
        afterStatus.run();
        ByteBuffer buffer = Kernel.memory((int) Math.max(before.size() + 1, FIRST_READ));
        while (buffer.position() <= before.size() && file.read(buffer) > 0) {}
        if (buffer.position() != before.size() || !before.sameBytesAs(file.status())) {
            throw new Refused(Refused.Code.FILE_INVALID);
        }
        byte[] bytes = new byte[buffer.position()];
        buffer.flip().get(bytes);
        return bytes;
    }

    /** Whether there is something at {@code path}. */
    public boolean exists(String path) {
        List<String> parts = resolve(path);
        try (Handle directory = openParent(parts, false)) {
            FileStatus status = directory.statusOf(parts.getLast());
            if (status != null && status.isLink()) {
                throw new Refused(Refused.Code.SYMLINK);
            }
            return status != null;
        } catch (KernelException e) {
            if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
                return false;
            }
            throw e;
        }
    }

    /** Watches the directory of {@code path}, which is made where it is missing. */
    public DirectoryWatch watchFor(String path) {
        try (Handle directory = openParent(resolve(path), true)) {
            return DirectoryWatch.of(directory);
        }
    }

    /** Makes the directories above {@code path}, mode 0700. */
    public void makeParents(String path) {
        openParent(resolve(path), true).close();
    }

    /** Makes the directory {@code path} and those above it, mode 0700. */
    public void makeDirectory(String path) {
        List<String> parts = new ArrayList<>(resolve(path));
        parts.add("");
        openParent(parts, true).close();
    }

    /** Replaces {@code path} by a whole new file that is on the disk when this returns. */
    public void install(String path, byte[] bytes, int mode) {
        write(path, bytes, mode, true);
    }

    /** The same as {@link #install} where nothing is yet. @return false when there is something */
    public boolean installNew(String path, byte[] bytes, int mode) {
        return write(path, bytes, mode, false);
    }

    private boolean write(String path, byte[] bytes, int mode, boolean replace) {
        if (bytes.length > MAX_BYTES) {
            throw new Refused(Refused.Code.FILE_INVALID);
        }
        List<String> parts = resolve(path);
        String name = parts.getLast();
        String temporary = TEMPORARY + UUID.randomUUID().toString().replace("-", "");
        try (Handle directory = openParent(parts, true)) {
            refuseLink(directory, name);
            boolean placed = false;
            try {
                writeTemporary(directory, temporary, bytes, mode);
                if (replace) {
                    directory.rename(temporary, name);
                    placed = true;
                } else {
                    placed = directory.renameToFree(temporary, name);
                }
            } finally {
                if (!placed) {
                    directory.remove(temporary);
                }
            }
            directory.sync();
            return placed;
        }
    }

    private static void writeTemporary(Handle directory, String name, byte[] bytes, int mode) {
        try (Handle file = directory.file(name, Handle.O_WRONLY | Handle.O_CREAT | Handle.O_EXCL, PRIVATE)) {
            ByteBuffer buffer = Kernel.memory(Math.max(1, bytes.length));
            buffer.put(bytes).flip();
            file.writeAll(buffer);
            file.mode(mode);
            file.sync();
        }
    }

    /** Removes the file {@code path}. */
    public void remove(String path) {
        List<String> parts = resolve(path);
        try (Handle directory = openParent(parts, false)) {
            directory.remove(parts.getLast());
            directory.sync();
        }
    }

    /** Opens {@code path} for reading and writing, making it where it is missing; the caller closes it. */
    public Handle openPrivate(String path) {
        List<String> parts = resolve(path);
        try (Handle directory = openParent(parts, true)) {
            refuseLink(directory, parts.getLast());
            return directory.file(parts.getLast(), Handle.O_RDWR | Handle.O_CREAT | Handle.O_NONBLOCK, PRIVATE);
        }
    }

    /**
     * The components of {@code path} below the root.
     *
     * @param path absolute, or relative to the root
     * @throws Refused PATH_OUTSIDE_ROOT, PATH_INVALID, ROOT_INVALID when the root is the file system's
     */
    private List<String> resolve(String path) {
        if (rootParts.isEmpty()) {
            throw new Refused(Refused.Code.ROOT_INVALID);
        }
        if (path == null || path.length() > MAX_PATH || path.indexOf('\0') >= 0) {
            throw new Refused(Refused.Code.PATH_INVALID);
        }
        List<String> parts = parts(path);
        if (path.startsWith("/")) {
            int depth = rootParts.size();
            if (parts.size() < depth || !parts.subList(0, depth).equals(rootParts)) {
                throw new Refused(Refused.Code.PATH_OUTSIDE_ROOT);
            }
            parts = parts.subList(depth, parts.size());
        }
        if (parts.isEmpty() || parts.contains("..")) {
            throw new Refused(Refused.Code.PATH_INVALID);
        }
        return parts;
    }

    private static List<String> parts(String path) {
        List<String> parts = new ArrayList<>();
        for (String part : path.split("/")) {
            if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        return parts;
    }

    private Handle openRoot(boolean make) {
        Handle current = Handle.root();
        for (String part : rootParts) {
            current = step(current, part, make, Refused.Code.ROOT_INVALID);
        }
        return current;
    }

    private Handle openParent(List<String> parts, boolean make) {
        Handle current = openRoot(false);
        for (String part : parts.subList(0, parts.size() - 1)) {
            current = step(current, part, make, Refused.Code.SYMLINK);
        }
        return current;
    }

    /** Opens a directory's directory and closes the first. */
    private static Handle step(Handle directory, String name, boolean make, Refused.Code link) {
        try (directory) {
            try {
                return directory.directory(name);
            } catch (KernelException e) {
                FileStatus status = directory.statusOf(name);
                if (status != null && status.isLink()) {
                    throw new Refused(link);
                }
                if (e.errno() != Errno.ENOENT || !make) {
                    throw e;
                }
                directory.makeDirectory(name);
                return directory.directory(name);
            }
        }
    }

    private static void refuseLink(Handle directory, String name) {
        FileStatus status = directory.statusOf(name);
        if (status != null && status.isLink()) {
            throw new Refused(Refused.Code.SYMLINK);
        }
    }
}
