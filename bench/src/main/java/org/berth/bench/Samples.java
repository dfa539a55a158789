package org.berth.bench;

import java.util.Arrays;

/** Measured times in nanoseconds. Safe for several threads. */
final class Samples {
    private long[] nanos = new long[1024];
    private int count;

    synchronized void add(long value) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, count * 2);
        }
        nanos[count++] = value;
    }

    /** In milliseconds. {@code part}: 0.5 for the median. @throws IllegalStateException without samples */
    synchronized double millis(double part) {
        if (count == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(count - 1, (long) (part * count))] / 1e6;
    }

    /** The middle of the rounds' figures. */
    static double median(double... rounds) {
        double[] sorted = rounds.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
