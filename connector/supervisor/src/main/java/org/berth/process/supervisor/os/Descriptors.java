package org.berth.process.supervisor.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Calls on file descriptors. Safe for any thread. */
public final class Descriptors {
    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 1;
    public static final int O_RDWR = 2;
    public static final int O_CREAT = 0x40;
    public static final int O_NOCTTY = 0x100;
    public static final int O_APPEND = 0x400;
    public static final int O_NONBLOCK = 0x800;
    public static final int O_CLOEXEC = 0x80000;

    /** fallocate: reserve without changing the file's size. */
    private static final int FALLOC_FL_KEEP_SIZE = 1;

    private static final int F_SETFL = 4;
    private static final int F_GETFL = 3;
    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int LOCK_EX_NB = 2 | 4;

    private static final NativeFunction READ = NativeFunction.ofLong("read", 3);
    private static final NativeFunction WRITE = NativeFunction.ofLong("write", 3);
    private static final NativeFunction CLOSE = NativeFunction.ofInt("close", 1);
    private static final NativeFunction OPEN = NativeFunction.variadic("open", 2, 3);
    private static final NativeFunction PIPE2 = NativeFunction.ofInt("pipe2", 2);
    private static final NativeFunction FCNTL = NativeFunction.variadic("fcntl", 2, 3);
    private static final NativeFunction FLOCK = NativeFunction.ofInt("flock", 2);
    private static final NativeFunction FALLOCATE = NativeFunction.ofInt("fallocate", 4);
    private static final NativeFunction FDATASYNC = NativeFunction.ofInt("fdatasync", 1);
    private static final NativeFunction FTRUNCATE = NativeFunction.ofInt("ftruncate", 2);
    private static final NativeFunction EVENTFD = NativeFunction.ofInt("eventfd", 2);

    private Descriptors() {}

    /** @return bytes read, 0 at the end, or the negative error number */
    public static long read(int fd, MemorySegment buffer, long length) {
        return READ.call(fd, buffer.address(), length);
    }

    /** @return bytes written, or the negative error number */
    public static long write(int fd, MemorySegment buffer, long length) {
        return WRITE.call(fd, buffer.address(), length);
    }

    /** Writes an empty line to a pipe that has room for it. */
    public static void writeLine(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            write(fd, arena.allocateFrom("\n"), 1);
        }
    }

    /** Closes {@code fd}; a negative number means none and does nothing. */
    public static void close(int fd) {
        if (fd >= 0) {
            CLOSE.call(fd);
        }
    }

    /** @return a descriptor, or the negative error number */
    public static int open(String path, int flags, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) OPEN.call(text(arena, path).address(), flags, mode);
        }
    }

    /** Opens a directory for reading, never following a link in its last component. */
    public static int openDirectory(String path) {
        int noFollow = Cpu.CURRENT == Cpu.AARCH64 ? 0x8000 : 0x20000;
        return open(path, O_RDONLY | O_CLOEXEC | Cpu.CURRENT.openDirectory | noFollow, 0);
    }

    /** A pipe that no exec keeps open: {@code [read end, write end]}. */
    public static int[] pipe() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(ValueLayout.JAVA_INT, 2);
            Errno.require("pipe2", PIPE2.call(ends.address(), O_CLOEXEC));
            return new int[] {ends.get(ValueLayout.JAVA_INT, 0), ends.get(ValueLayout.JAVA_INT, 4)};
        }
    }

    public static void setNonBlocking(int fd) {
        long flags = Errno.require("fcntl", FCNTL.call(fd, F_GETFL, 0));
        Errno.require("fcntl", FCNTL.call(fd, F_SETFL, flags | O_NONBLOCK));
    }

    /** Takes the exclusive lock that ends with the last copy of {@code fd}. @return false when another holds it */
    public static boolean lock(int fd) {
        return FLOCK.call(fd, LOCK_EX_NB) == 0;
    }

    /** Reserves disk space for {@code length} bytes from {@code offset}. @return 0, or the negative error number */
    public static int reserve(int fd, long offset, long length) {
        return (int) FALLOCATE.call(fd, FALLOC_FL_KEEP_SIZE, offset, length);
    }

    /** Cuts the file to {@code length} bytes. @return 0, or the negative error number */
    public static int truncate(int fd, long length) {
        return (int) FTRUNCATE.call(fd, length);
    }

    /** @return 0, or the negative error number */
    public static int sync(int fd) {
        return (int) FDATASYNC.call(fd);
    }

    /** A second descriptor of the same file. */
    public static int duplicate(int fd) {
        return (int) Errno.require("fcntl", FCNTL.call(fd, F_DUPFD_CLOEXEC, 0));
    }

    /** A counter that wakes an epoll. */
    public static int wakeUpCounter() {
        return (int) Errno.require("eventfd", EVENTFD.call(0, O_CLOEXEC | O_NONBLOCK));
    }

    /** {@code value} as the kernel takes it: UTF-8, ended by a zero. */
    static MemorySegment text(Arena arena, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        MemorySegment segment = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return segment;
    }
}
