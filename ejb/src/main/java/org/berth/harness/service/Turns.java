package org.berth.harness.service;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Runs tasks one after another, in their order, on threads of an executor that others share. */
final class Turns implements Executor {
    private final Executor executor;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    Turns(Executor executor) {
        this.executor = executor;
    }

    @Override
    public void execute(Runnable task) {
        synchronized (this) {
            waiting.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        try {
            executor.execute(this::run);
        } catch (RuntimeException e) {
            // No thread: the tasks stay for the next call.
            synchronized (this) {
                running = false;
            }
            throw e;
        }
    }

    private void run() {
        while (true) {
            Runnable next;
            synchronized (this) {
                next = waiting.poll();
                if (next == null) {
                    running = false;
                    return;
                }
            }
            boolean ended = false;
            try {
                next.run();
                ended = true;
            } finally {
                if (!ended) {
                    goOn();
                }
            }
        }
    }

    /** A task failed, and takes this thread with it: the others run on another one. */
    private void goOn() {
        executor.execute(this::run);
    }
}
