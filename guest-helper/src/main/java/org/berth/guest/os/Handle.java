package org.berth.guest.os;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * An open file or directory. Names given to a directory's handle are one component each and a link is never followed.
 * Methods without other word throw {@link KernelException}. Used by one thread at a time.
 */
public final class Handle implements AutoCloseable {
    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 1;
    public static final int O_RDWR = 2;
    public static final int O_CREAT = 0x40;
    public static final int O_EXCL = 0x80;
    public static final int O_NOCTTY = 0x100;
    public static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;
    private static final int O_DIRECTORY = Machine.AARCH64 ? 0x4000 : 0x10000;
    private static final int O_NOFOLLOW = Machine.AARCH64 ? 0x8000 : 0x20000;

    private static final int AT_FDCWD = -100;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_BASIC_STATS = 0x7ff;
    private static final int RENAME_NOREPLACE = 1;
    private static final int LOCK_EX_NB = 2 | 4;

    private final int fd;
    private boolean closed;

    public Handle(int fd) {
        this.fd = fd;
    }

    /** The file system's root directory. */
    public static Handle root() {
        return new Handle((int) Kernel.require("open", openAt(AT_FDCWD, "/", O_DIRECTORY, 0)));
    }

    /** A device by its absolute path, where links are followed, for reading and writing. */
    public static Handle device(String path) {
        ByteBuffer text = Kernel.text(path);
        int flags = O_RDWR | O_NOCTTY | O_CLOEXEC;
        return new Handle((int) Kernel.require("open", Kernel.call(Syscall.OPENAT, AT_FDCWD, text, flags, 0)));
    }

    public int fd() {
        return fd;
    }

    /** The directory {@code name} of this directory. */
    public Handle directory(String name) {
        return new Handle((int) Kernel.require("open", openAt(fd, name, O_DIRECTORY, 0)));
    }

    /** The file {@code name} of this directory. */
    public Handle file(String name, int flags, int mode) {
        return new Handle((int) Kernel.require("open", openAt(fd, name, flags, mode)));
    }

    private static long openAt(int directory, String name, int flags, int mode) {
        ByteBuffer text = Kernel.text(name);
        return Kernel.call(Syscall.OPENAT, directory, text, flags | O_NOFOLLOW | O_CLOEXEC, mode);
    }

    public FileStatus status() {
        return status("", AT_EMPTY_PATH);
    }

    /** The status of {@code name} itself, also of a link; null when there is no such name. */
    public FileStatus statusOf(String name) {
        try {
            return status(name, AT_SYMLINK_NOFOLLOW);
        } catch (KernelException e) {
            if (e.errno() == Errno.ENOENT) {
                return null;
            }
            throw e;
        }
    }

    private FileStatus status(String name, int flags) {
        ByteBuffer text = Kernel.text(name);
        ByteBuffer statx = Kernel.memory(FileStatus.BYTES);
        try {
            Kernel.require(
                    "statx",
                    Kernel.call(
                            Syscall.STATX, fd, Kernel.address(text), flags, STATX_BASIC_STATS, Kernel.address(statx)));
        } finally {
            Reference.reachabilityFence(text);
            Reference.reachabilityFence(statx);
        }
        return FileStatus.of(statx);
    }

    /** Makes the directory {@code name}, mode 0700, unless there is something of that name. */
    public void makeDirectory(String name) {
        long result = Kernel.call(Syscall.MKDIRAT, fd, Kernel.text(name), 0700, 0);
        if (result != -Errno.EEXIST) {
            Kernel.require("mkdir", result);
        }
    }

    /** Removes the file {@code name}; a missing one is removed already. */
    public void remove(String name) {
        long result = Kernel.call(Syscall.UNLINKAT, fd, Kernel.text(name), 0, 0);
        if (result != -Errno.ENOENT) {
            Kernel.require("unlink", result);
        }
    }

    /** Renames {@code from} to {@code to} in this directory, replacing what is there. */
    public void rename(String from, String to) {
        Kernel.require("rename", rename(from, to, 0));
    }

    /** Renames {@code from} to {@code to} in this directory. @return false when there is something at {@code to} */
    public boolean renameToFree(String from, String to) {
        long result = rename(from, to, RENAME_NOREPLACE);
        if (result == -Errno.EEXIST) {
            return false;
        }
        Kernel.require("rename", result);
        return true;
    }

    private long rename(String from, String to, int flags) {
        ByteBuffer source = Kernel.text(from);
        ByteBuffer target = Kernel.text(to);
        try {
            return Kernel.call(Syscall.RENAMEAT2, fd, Kernel.address(source), fd, Kernel.address(target), flags);
        } finally {
            Reference.reachabilityFence(source);
            Reference.reachabilityFence(target);
        }
    }

    /** Reads up to the buffer's limit from its position. @return bytes, 0 at the end */
    public int read(ByteBuffer into) {
        while (true) {
            long read = transfer(Syscall.READ, into);
            if (read != -Errno.EINTR) {
                Kernel.require("read", read);
                into.position(into.position() + (int) read);
                return (int) read;
            }
        }
    }

    /** Writes all that the buffer has. */
    public void writeAll(ByteBuffer from) {
        while (from.hasRemaining()) {
            long written = transfer(Syscall.WRITE, from);
            if (written != -Errno.EINTR) {
                Kernel.require("write", written);
                from.position(from.position() + (int) written);
            }
        }
    }

    private long transfer(Syscall call, ByteBuffer buffer) {
        try {
            return Kernel.call(call, fd, Kernel.address(buffer) + buffer.position(), buffer.remaining());
        } finally {
            Reference.reachabilityFence(buffer);
        }
    }

    public void sync() {
        Kernel.require("fsync", Kernel.call(Syscall.FSYNC, fd, 0, 0));
    }

    public void mode(int mode) {
        Kernel.require("chmod", Kernel.call(Syscall.FCHMOD, fd, mode, 0));
    }

    /** Takes the exclusive lock that ends with the last copy of this descriptor. @return false when another holds it */
    public boolean lock() {
        return Kernel.call(Syscall.FLOCK, fd, LOCK_EX_NB, 0) == 0;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Kernel.call(Syscall.CLOSE, fd, 0, 0);
        }
    }
}
