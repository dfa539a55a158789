package org.berth.cli.output;

import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.berth.cli.Surroundings;

/** One line on stderr for work that lasts longer than a second; gone when closed. Never where nobody looks. */
public final class Progress implements AutoCloseable {
    private static final long FIRST_MILLIS = 1_000;
    private static final long TICK_MILLIS = 250;
    private static final String CLEAR = "\r\033[K";

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    private Progress(PrintStream err, String text, boolean shown) {
        thread = shown ? Thread.ofVirtual().start(() -> show(err, text)) : null;
    }

    /** Where progress lines go. */
    public record Source(PrintStream err, boolean shown) {
        public static Source of(Surroundings surroundings) {
            return new Source(surroundings.err(), surroundings.errTerminal());
        }

        /** None at all, such as while a remote program owns the terminal. */
        public static Source none() {
            return new Source(null, false);
        }

        /** Shows {@code text} with the elapsed seconds until it is closed. */
        public Progress show(String text) {
            return new Progress(err, text, shown);
        }
    }

    private void show(PrintStream err, String text) {
        long began = System.nanoTime();
        boolean drawn = false;
        try {
            long wait = FIRST_MILLIS;
            while (!ended.await(wait, TimeUnit.MILLISECONDS)) {
                long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
                err.print(CLEAR + text + " … " + seconds + " s");
                err.flush();
                drawn = true;
                wait = TICK_MILLIS;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (drawn) {
            err.print(CLEAR);
            err.flush();
        }
    }

    @Override
    public void close() {
        ended.countDown();
        if (thread != null) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
