package org.berth.harness.files;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Ends a match that takes too long: regular expressions may need exponential time, and read every character through here.
 *
 * @param endNanos of {@code clock}, which counts nanoseconds
 */
record Deadline(long endNanos, LongSupplier clock) {
    private static final int READS_BETWEEN_LOOKS = 4096;

    /** Thrown out of a match. */
    static final class Passed extends RuntimeException {
        Passed() {
            super("the time is over", null, false, false);
        }
    }

    static Deadline in(Duration time, LongSupplier clock) {
        return new Deadline(clock.getAsLong() + time.toNanos(), clock);
    }

    boolean isPassed() {
        return clock.getAsLong() - endNanos >= 0;
    }

    /** {@code text}, whose reader is thrown out when the time is over. */
    CharSequence guarding(String text) {
        return new Guarded(text, this);
    }

    private static final class Guarded implements CharSequence {
        private final String text;
        private final Deadline deadline;
        private int reads;

        private Guarded(String text, Deadline deadline) {
            this.text = text;
            this.deadline = deadline;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (++reads % READS_BETWEEN_LOOKS == 0 && deadline.isPassed()) {
                throw new Passed();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
