package org.berth.guest.os;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * Waits until a name comes into a directory. Where the kernel gives no watch (a user has a bounded number), it waits a
 * moment instead. Used by one thread.
 */
public final class DirectoryWatch implements AutoCloseable {
    /** Source: linux/inotify.h: IN_CLOSE_WRITE, IN_MOVED_TO, IN_CREATE, IN_DELETE_SELF, IN_MOVE_SELF. */
    private static final int EVENTS = 0x8 | 0x80 | 0x100 | 0x400 | 0x800;

    private static final int IN_CLOEXEC = 0x80000;
    private static final int MOMENT_MILLIS = 50;

    /** Source: poll(2), struct pollfd and struct timespec; POLLIN. */
    private static final int POLLFD_BYTES = 8;

    private static final int TIMESPEC_BYTES = 16;
    private static final short POLLIN = 1;

    /** Bytes of a signal mask. Source: the kernel's sigset_t. */
    private static final int SIGNALS_BYTES = 8;

    private final int fd;

    private DirectoryWatch(int fd) {
        this.fd = fd;
    }

    /** Watches {@code directory} itself, whatever its name leads to later. */
    public static DirectoryWatch of(Handle directory) {
        int fd = (int) Kernel.call(Syscall.INOTIFY_INIT1, IN_CLOEXEC, 0, 0);
        if (fd >= 0
                && Kernel.call(Syscall.INOTIFY_ADD_WATCH, fd, Kernel.text("/proc/self/fd/" + directory.fd()), EVENTS, 0)
                        < 0) {
            Kernel.call(Syscall.CLOSE, fd, 0, 0);
            fd = -1;
        }
        return new DirectoryWatch(fd);
    }

    /** Until something came, at most {@code millis}; may return sooner. */
    public void await(long millis) throws InterruptedException {
        if (fd < 0) {
            Thread.sleep(Math.min(millis, MOMENT_MILLIS));
            return;
        }
        ByteBuffer poll = Kernel.memory(POLLFD_BYTES).putInt(0, fd).putShort(4, POLLIN);
        ByteBuffer time =
                Kernel.memory(TIMESPEC_BYTES).putLong(0, millis / 1000).putLong(8, millis % 1000 * 1_000_000);
        try {
            Kernel.call(Syscall.PPOLL, Kernel.address(poll), 1, Kernel.address(time), 0, SIGNALS_BYTES);
        } finally {
            Reference.reachabilityFence(poll);
            Reference.reachabilityFence(time);
        }
    }

    @Override
    public void close() {
        if (fd >= 0) {
            Kernel.call(Syscall.CLOSE, fd, 0, 0);
        }
    }
}
