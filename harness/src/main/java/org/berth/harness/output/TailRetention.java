package org.berth.harness.output;

import java.util.Arrays;

/** Holds the longest end that is within the limits, in a ring that grows to the byte limit. */
final class TailRetention implements Retention {
    private static final int FIRST_BYTES = 1 << 10;

    private final OutputLimits limits;
    private byte[] ring = new byte[0];
    private int start;
    private int byteCount;
    private int newlines;

    TailRetention(OutputLimits limits) {
        this.limits = limits;
    }

    @Override
    public long append(byte[] bytes, int from, int to) {
        int before = byteCount;
        int useful = Math.min(to - from, limits.bytes());
        drop((int) Math.max(0, (long) byteCount + useful - limits.bytes()));
        reserve(byteCount + useful);
        int at = to - useful;
        while (at < to) {
            int end = (start + byteCount) % ring.length;
            int count = Math.min(to - at, ring.length - end);
            System.arraycopy(bytes, at, ring, end, count);
            newlines += Retention.newlines(bytes, at, at + count);
            byteCount += count;
            at += count;
        }
        while (lines() > limits.lines()) {
            dropLine();
        }
        return (long) before + (to - from) - byteCount;
    }

    private void reserve(int needed) {
        if (needed > ring.length) {
            byte[] all = kept();
            long doubled = Math.max(FIRST_BYTES, 2L * ring.length);
            ring = Arrays.copyOf(all, (int) Math.min(limits.bytes(), Math.max(doubled, needed)));
            start = 0;
        }
    }

    private int lines() {
        boolean open = byteCount > 0 && ring[(start + byteCount - 1) % ring.length] != '\n';
        return newlines + (open ? 1 : 0);
    }

    private void dropLine() {
        int length = 1;
        while (length < byteCount && ring[(start + length - 1) % ring.length] != '\n') {
            length++;
        }
        drop(length);
    }

    private void drop(int count) {
        if (count == 0) {
            return;
        }
        int untilEnd = Math.min(count, ring.length - start);
        newlines -= Retention.newlines(ring, start, start + untilEnd) + Retention.newlines(ring, 0, count - untilEnd);
        start = (start + count) % ring.length;
        byteCount -= count;
    }

    @Override
    public boolean fits(byte[] bytes, int from, int to) {
        if (from == to) {
            return true;
        }
        int ended = newlines + Retention.newlines(bytes, from, to);
        boolean open = bytes[to - 1] != '\n';
        return (long) byteCount + (to - from) <= limits.bytes() && (long) ended + (open ? 1 : 0) <= limits.lines();
    }

    @Override
    public byte[] kept() {
        byte[] all = new byte[byteCount];
        int first = Math.min(byteCount, ring.length - start);
        System.arraycopy(ring, start, all, 0, first);
        System.arraycopy(ring, 0, all, first, byteCount - first);
        return all;
    }
}
