package org.berth.harness.output;

import java.util.ArrayList;
import java.util.List;

/** Holds every byte, in segments, so that growing copies nothing. */
final class FullRetention implements Retention {
    private static final int FIRST_BYTES = 1 << 10;
    private static final int SEGMENT_BYTES = 1 << 16;

    private final List<byte[]> segments = new ArrayList<>();
    private int lastUsed;
    private long byteCount;

    @Override
    public long append(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            if (segments.isEmpty() || lastUsed == segments.getLast().length) {
                segments.add(new byte[segments.isEmpty() ? FIRST_BYTES : SEGMENT_BYTES]);
                lastUsed = 0;
            }
            byte[] last = segments.getLast();
            int count = Math.min(to - at, last.length - lastUsed);
            System.arraycopy(bytes, at, last, lastUsed, count);
            lastUsed += count;
            at += count;
        }
        byteCount += to - from;
        return 0;
    }

    @Override
    public boolean fits(byte[] bytes, int from, int to) {
        return true;
    }

    @Override
    public byte[] kept() {
        byte[] all = new byte[Math.toIntExact(byteCount)];
        int at = 0;
        for (byte[] segment : segments) {
            int count = Math.min(segment.length, all.length - at);
            System.arraycopy(segment, 0, all, at, count);
            at += count;
        }
        return all;
    }
}
