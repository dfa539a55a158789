package org.berth.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for a condition. */
final class Await {
    private static final long SECONDS = 30;
    private static final long PAUSE_MILLIS = 20;

    private Await() {}

    static void until(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!condition.call()) {
            assertThat(System.nanoTime() - deadline)
                    .as("waited too long: " + what)
                    .isNegative();
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }
}
