package org.berth.acceptance;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Waits for a condition, never for a time. */
public final class Await {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private Await() {}

    /** Until {@code condition} holds, at most 30 s. @throws AssertionError naming {@code what} */
    public static void until(String what, Callable<Boolean> condition) {
        until(what, PATIENCE, condition);
    }

    /** Until {@code condition} holds. @throws AssertionError naming {@code what} after {@code patience} */
    public static void until(String what, Duration patience, Callable<Boolean> condition) {
        value(what, patience, condition, Boolean::booleanValue);
    }

    /** The first value of {@code look} that {@code wanted} accepts, looked for at most 30 s. */
    public static <V> V value(String what, Callable<V> look, Predicate<V> wanted) {
        return value(what, PATIENCE, look, wanted);
    }

    /** The first value of {@code look} that {@code wanted} accepts. @throws AssertionError with the last value */
    public static <V> V value(String what, Duration patience, Callable<V> look, Predicate<V> wanted) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            V value;
            try {
                value = look.call();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(what, e);
            }
            if (wanted.test(value)) {
                return value;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + patience + ": " + what + "; last seen: " + value);
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }
}
