package org.berth.process.supervisor;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition with a deadline. */
final class Await {
    private Await() {}

    static void until(String what, BooleanSupplier condition) {
        until(what, Duration.ofSeconds(10), condition);
    }

    static void until(String what, Duration most, BooleanSupplier condition) {
        long deadline = System.nanoTime() + most.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + most + ": " + what);
            }
            LockSupport.parkNanos(2_000_000);
        }
    }
}
