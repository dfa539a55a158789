package org.berth.harness.job;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Time as a wait sees it; a test has its own, in which nothing sleeps. */
public interface WaitTimer {
    /** Nanoseconds on a clock that never goes back, of any origin. */
    long nanos();

    /** Runs {@code task} once, no earlier than after {@code delayNanos}. Running what is returned cancels it. */
    Runnable schedule(long delayNanos, Runnable task);

    /** The machine's clock, and a timer thread of the caller's. */
    static WaitTimer of(ScheduledExecutorService executor) {
        return new WaitTimer() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public Runnable schedule(long delayNanos, Runnable task) {
                Future<?> scheduled = executor.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
                return () -> scheduled.cancel(false);
            }
        };
    }
}
