package org.berth.guest.os;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;

/**
 * Waits for every child of this process on one thread: the started ones, and the orphans that become ours.
 * Safe for any thread.
 */
public final class Children {
    /** Without a child: until one is started here, or an orphan may have come. */
    private static final long PAUSE_MILLIS = 1000;

    /** Source: bits/waitflags.h and the layout of siginfo_t. */
    private static final int WEXITED = 4;

    private static final int WNOHANG = 1;
    private static final int WNOWAIT = 0x1000000;
    private static final int P_ALL = 0;
    private static final int SIGINFO_BYTES = 128;
    private static final int SIGINFO_PID = 16;

    private final Map<Integer, CompletableFuture<Integer>> expected = new HashMap<>();

    private Children() {}

    /**
     * A started child.
     *
     * @param started what was looked up at its start
     * @param exit completes with its code, or a signal's number below zero
     */
    public record Child<T>(int pid, T started, CompletableFuture<Integer> exit) {}

    /** Begins to wait. */
    public static Children watch() {
        Children children = new Children();
        Thread.ofPlatform().name("children").daemon().start(children::reap);
        return children;
    }

    /** Registers what {@code start} starts; it is not reaped before {@code lookUp} returned. */
    public synchronized <T> Child<T> start(IntSupplier start, IntFunction<T> lookUp) {
        CompletableFuture<Integer> exit = new CompletableFuture<>();
        int pid = start.getAsInt();
        expected.put(pid, exit);
        notifyAll();
        return new Child<>(pid, lookUp.apply(pid), exit);
    }

    private void reap() {
        ByteBuffer info = Kernel.memory(SIGINFO_BYTES);
        while (true) {
            long result = Kernel.call(Syscall.WAITID, P_ALL, 0, info, WEXITED | WNOWAIT);
            if (result == 0) {
                settle(info.getInt(SIGINFO_PID));
            } else if (result != -Errno.EINTR) {
                pause();
            }
        }
    }

    private synchronized void settle(int pid) {
        ByteBuffer status = Kernel.memory(Integer.BYTES);
        if (Kernel.call(Syscall.WAIT4, pid, status, WNOHANG, 0) == pid) {
            CompletableFuture<Integer> exit = expected.remove(pid);
            if (exit != null) {
                exit.complete(code(status.getInt(0)));
            }
        }
    }

    /** Source: wait(2). */
    private static int code(int status) {
        int signal = status & 0x7f;
        return signal == 0 ? status >> 8 & 0xff : -signal;
    }

    private synchronized void pause() {
        try {
            if (expected.isEmpty()) {
                wait(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
