package org.berth.harness.workspace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Threads that share the items of one piece of work. The caller's own thread is one of them, so that work goes on when the
 * executor has no thread to give.
 *
 * @param executor gives the other threads
 * @param count all threads, at least 1
 */
public record Lanes(Executor executor, int count) {
    /** A thread of its own for each lane, one lane for each processor but not more than {@code most}. */
    public static Lanes ofThreads(int most) {
        int count = Math.min(most, Runtime.getRuntime().availableProcessors());
        return new Lanes(task -> Thread.ofPlatform().name("workspace").daemon().start(task), Math.max(1, count));
    }

    /** What is done with one item. */
    interface Work<T> {
        void on(T item) throws IOException;
    }

    /** Makes the work of one lane, which ends with it. */
    interface LaneWork<T> extends Work<T>, AutoCloseable {
        @Override
        void close() throws IOException;
    }

    /** Opens a lane's own state. */
    interface Opener<T> {
        LaneWork<T> open() throws IOException;
    }

    /** Does the work on every item, in no order. @throws IOException the first failure; no new item is begun after it */
    <T> void each(List<T> items, Opener<T> opener) throws IOException {
        Run<T> run = new Run<>(items, opener);
        List<Helper> helpers = new ArrayList<>();
        for (int i = 1; i < Math.min(count, items.size()); i++) {
            Helper helper = new Helper(run);
            try {
                executor.execute(helper);
            } catch (RejectedExecutionException e) {
                break;
            }
            helpers.add(helper);
        }
        run.go();
        helpers.forEach(Helper::join);
        run.rethrow();
    }

    /** A thread's part, unless the work was over before the thread came. */
    private static final class Helper implements Runnable {
        private final Run<?> run;
        private final AtomicBoolean claimed = new AtomicBoolean();
        private final CountDownLatch ended = new CountDownLatch(1);

        private Helper(Run<?> run) {
            this.run = run;
        }

        @Override
        public void run() {
            if (claimed.compareAndSet(false, true)) {
                try {
                    run.go();
                } finally {
                    ended.countDown();
                }
            }
        }

        void join() {
            if (claimed.compareAndSet(false, true)) {
                return;
            }
            boolean interrupted = false;
            while (true) {
                try {
                    ended.await();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private record Run<T>(List<T> items, Opener<T> opener, AtomicInteger next, AtomicReference<Throwable> failure) {
        Run(List<T> items, Opener<T> opener) {
            this(items, opener, new AtomicInteger(), new AtomicReference<>());
        }

        void go() {
            try (LaneWork<T> work = opener.open()) {
                for (int i = next.getAndIncrement(); i < items.size(); i = next.getAndIncrement()) {
                    work.on(items.get(i));
                }
            } catch (IOException | RuntimeException | Error e) {
                failure.compareAndSet(null, e);
                next.set(items.size());
            }
        }

        void rethrow() throws IOException {
            switch (failure.get()) {
                case null -> {}
                case IOException e -> throw e;
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case Throwable e -> throw new IllegalStateException(e);
            }
        }
    }
}
