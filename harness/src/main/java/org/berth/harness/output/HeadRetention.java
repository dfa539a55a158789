package org.berth.harness.output;

import java.util.Arrays;

/** Holds the longest beginning that is within the limits. */
final class HeadRetention implements Retention {
    private static final int FIRST_BYTES = 1 << 10;

    private final OutputLimits limits;
    private byte[] held = new byte[0];
    private int byteCount;
    private int newlines;
    private boolean full;

    HeadRetention(OutputLimits limits) {
        this.limits = limits;
    }

    @Override
    public long append(byte[] bytes, int from, int to) {
        int fits = fitting(bytes, from, to);
        full |= fits < to - from;
        newlines += Retention.newlines(bytes, from, from + fits);
        if (byteCount + fits > held.length) {
            long doubled = Math.max(FIRST_BYTES, 2L * held.length);
            held = Arrays.copyOf(held, (int) Math.min(limits.bytes(), Math.max(doubled, (long) byteCount + fits)));
        }
        System.arraycopy(bytes, from, held, byteCount, fits);
        byteCount += fits;
        return to - from - fits;
    }

    @Override
    public boolean fits(byte[] bytes, int from, int to) {
        return fitting(bytes, from, to) == to - from;
    }

    /** How many bytes are within both limits; no byte goes into a line beyond the last one. */
    private int fitting(byte[] bytes, int from, int to) {
        if (full) {
            return 0;
        }
        int most = Math.min(to - from, limits.bytes() - byteCount);
        int ended = newlines;
        for (int at = 0; at < most; at++) {
            if (ended == limits.lines()) {
                return at;
            }
            ended += bytes[from + at] == '\n' ? 1 : 0;
        }
        return most;
    }

    @Override
    public byte[] kept() {
        return Arrays.copyOf(held, byteCount);
    }
}
