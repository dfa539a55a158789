package org.berth.harness.frame;

import java.util.ArrayList;
import java.util.List;

/**
 * A line that arrives in parts, in segments that are made as it grows, so that it never costs more than its own bytes and
 * the rest of one segment; no segment goes beyond the limit.
 */
final class LineSegments {
    private static final int SEGMENT_BYTES = 64 << 10;
    private static final int FIRST_BYTES = 8 << 10;

    private final int limitBytes;
    private List<byte[]> segments = new ArrayList<>();
    private Frame lent;
    private int heldBytes;
    private int byteCount;
    private int lastUsed;

    LineSegments(int limitBytes) {
        this.limitBytes = limitBytes;
    }

    int byteCount() {
        return byteCount;
    }

    int heldBytes() {
        return heldBytes;
    }

    /**
     * Takes the next part.
     *
     * @throws IllegalStateException when the line would go beyond the limit, which the caller has checked
     */
    void add(byte[] chunk, int from, int to) {
        int at = from;
        while (at < to) {
            if (segments.isEmpty() || lastUsed == segments.getLast().length) {
                grow();
            }
            byte[] last = segments.getLast();
            int count = Math.min(to - at, last.length - lastUsed);
            System.arraycopy(chunk, at, last, lastUsed, count);
            lastUsed += count;
            byteCount += count;
            at += count;
        }
    }

    private void grow() {
        if (heldBytes >= limitBytes) {
            throw new IllegalStateException("a line beyond the limit is gathered");
        }
        int size = segments.isEmpty() ? FIRST_BYTES : SEGMENT_BYTES;
        segments.add(new byte[Math.min(size, limitBytes - heldBytes)]);
        heldBytes += segments.getLast().length;
        lastUsed = 0;
    }

    /** Copies the first bytes into {@code target}; returns how many. */
    int copyTo(byte[] target) {
        int at = 0;
        for (byte[] segment : segments) {
            int count = Math.min(Math.min(segment.length, byteCount - at), target.length - at);
            System.arraycopy(segment, 0, target, at, count);
            at += count;
        }
        return at;
    }

    /** The gathered line; {@link #settle()} follows when it was heard. */
    Frame take() {
        List<Frame.Piece> pieces = new ArrayList<>(segments.size());
        int left = byteCount;
        for (byte[] segment : segments) {
            int count = Math.min(left, segment.length);
            pieces.add(new Frame.Piece(segment, 0, count));
            left -= count;
        }
        lent = Frame.segmented(pieces, byteCount);
        return lent;
    }

    /** Gives up the segments of a line that was kept; otherwise the first one is used again. */
    void settle() {
        if (lent.handedOver()) {
            segments = new ArrayList<>();
            heldBytes = 0;
        }
        lent = null;
        clear();
    }

    void clear() {
        if (!segments.isEmpty()) {
            byte[] first = segments.getFirst();
            if (segments.size() > 1) {
                segments = new ArrayList<>(List.of(first));
            }
            heldBytes = first.length;
        }
        byteCount = 0;
        lastUsed = 0;
    }
}
