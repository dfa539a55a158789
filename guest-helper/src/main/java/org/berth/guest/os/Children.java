package org.berth.guest.os;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;

/**
 * Waits for every child of this process on one thread: the started ones, and as pid 1 the orphans of the whole guest.
 * Safe for any thread.
 */
public final class Children {
    private static final long PAUSE_MILLIS = 200;

    private final Map<Integer, CompletableFuture<Integer>> expected = new HashMap<>();

    private Children() {}

    /** A started child; {@code exit} completes with its code, or a signal's number below zero. */
    public record Child(int pid, CompletableFuture<Integer> exit) {}

    /** Begins to wait. */
    public static Children watch() {
        Children children = new Children();
        Thread.ofPlatform().name("children").daemon().start(children::reap);
        return children;
    }

    /** Registers what {@code start} starts, before its exit can be seen. */
    public synchronized Child start(IntSupplier start) {
        CompletableFuture<Integer> exit = new CompletableFuture<>();
        int pid = start.getAsInt();
        expected.put(pid, exit);
        return new Child(pid, exit);
    }

    private void reap() {
        ByteBuffer status = Kernel.memory(Integer.BYTES);
        while (true) {
            long pid = Kernel.call(Syscall.WAIT4, -1, status, 0, 0);
            if (pid > 0) {
                settle((int) pid, code(status.getInt(0)));
            } else if (pid == -Errno.ECHILD) {
                pause();
            }
        }
    }

    private synchronized void settle(int pid, int code) {
        CompletableFuture<Integer> exit = expected.remove(pid);
        if (exit != null) {
            exit.complete(code);
        }
    }

    /** Source: wait(2). */
    private static int code(int status) {
        int signal = status & 0x7f;
        return signal == 0 ? status >> 8 & 0xff : -signal;
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
