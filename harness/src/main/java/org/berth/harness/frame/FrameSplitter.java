package org.berth.harness.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Splits a kernel's output into lines while it arrives. A line that lies in one chunk is lent from there without a copy;
 * one that spans chunks is gathered in segments, never more than the line limit; of a longer one only the head is
 * reported, at once, and the rest is dropped up to its newline.
 *
 * <p>For one reader at a time. Source: harness.md, S3.
 */
public final class FrameSplitter {
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long NEWLINES = ONES * '\n';

    /** What hears of the lines, in their order. */
    public interface Lines {
        /** A line within the limit; {@code frame} is lent. */
        void line(Frame frame);

        /** A line over the limit: its first bytes, as many as the head limit allows. */
        void oversized(Frame head);

        /** The output ended inside a line of {@code byteCount} bytes. */
        void cut(int byteCount);
    }

    private final FrameLimits limits;
    private final Lines lines;
    private final LineSegments gathered;
    private byte[] scratch;
    private boolean dropping;

    /** @param lines hears of every line, on the thread that feeds */
    public FrameSplitter(FrameLimits limits, Lines lines) {
        this.limits = limits;
        this.lines = Objects.requireNonNull(lines);
        this.gathered = new LineSegments(limits.lineBytes());
    }

    /** Takes all that remains in {@code chunk}, which may be filled again when this returns. */
    public void feed(ByteBuffer chunk) {
        if (chunk.hasArray()) {
            int from = chunk.arrayOffset() + chunk.position();
            feed(chunk.array(), from, from + chunk.remaining());
            chunk.position(chunk.limit());
            return;
        }
        if (scratch == null) {
            scratch = new byte[FrameLimits.READ_BYTES];
        }
        while (chunk.hasRemaining()) {
            int count = Math.min(scratch.length, chunk.remaining());
            chunk.get(scratch, 0, count);
            feed(scratch, 0, count);
        }
    }

    /** Takes {@code chunk} from {@code from} to {@code to} (exclusive); it may be filled again when this returns. */
    public void feed(byte[] chunk, int from, int to) {
        Objects.checkFromToIndex(from, to, chunk.length);
        int start = from;
        while (start < to) {
            int newline = newline(chunk, start, to);
            boolean ends = newline < to;
            part(chunk, start, newline, ends);
            start = newline + 1;
        }
    }

    /** The kernel's output has ended: what was gathered is no line. */
    public void end() {
        if (gathered.byteCount() > 0) {
            int byteCount = gathered.byteCount();
            gathered.clear();
            lines.cut(byteCount);
        }
        dropping = false;
    }

    /** Bytes of the arrays that are held for the line that is being gathered, and for reading on. */
    public int heldBytes() {
        return gathered.heldBytes() + (scratch == null ? 0 : scratch.length);
    }

    private void part(byte[] chunk, int from, int to, boolean ends) {
        if (dropping) {
            dropping = !ends;
        } else if ((long) gathered.byteCount() + (to - from) > limits.lineBytes()) {
            dropping = !ends;
            Frame head = head(chunk, from, to);
            gathered.clear();
            lines.oversized(head);
        } else if (!ends) {
            gathered.add(chunk, from, to);
        } else if (gathered.byteCount() == 0) {
            lines.line(Frame.lent(chunk, from, to));
        } else {
            gathered.add(chunk, from, to);
            lines.line(gathered.take());
            gathered.settle();
        }
    }

    private Frame head(byte[] chunk, int from, int to) {
        byte[] head = new byte[limits.headBytes()];
        int have = gathered.copyTo(head);
        System.arraycopy(chunk, from, head, have, Math.min(head.length - have, to - from));
        return Frame.lent(head, 0, head.length);
    }

    /** Where the next newline is, or {@code to}. */
    private static int newline(byte[] bytes, int from, int to) {
        int at = from;
        for (; at <= to - 32; at += 32) {
            long first = (long) WORDS.get(bytes, at) ^ NEWLINES;
            long second = (long) WORDS.get(bytes, at + 8) ^ NEWLINES;
            long third = (long) WORDS.get(bytes, at + 16) ^ NEWLINES;
            long fourth = (long) WORDS.get(bytes, at + 24) ^ NEWLINES;
            long zero = ((first - ONES) & ~first)
                    | ((second - ONES) & ~second)
                    | ((third - ONES) & ~third)
                    | ((fourth - ONES) & ~fourth);
            if ((zero & HIGHS) != 0) {
                break;
            }
        }
        while (at < to && bytes[at] != '\n') {
            at++;
        }
        return at;
    }
}
