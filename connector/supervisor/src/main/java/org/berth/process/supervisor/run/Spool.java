package org.berth.process.supervisor.run;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.berth.placement.OutputStreamKind;
import org.berth.process.supervisor.Limits;

/**
 * Output that is read and not yet consumed: one sequence over the streams of an attempt, from 1. A chunk that was not
 * sent yet grows by what its stream produces next, so that small writes do not cost a chunk each. Does no I/O.
 */
public final class Spool {
    /** Chunks kept at most, so that single bytes of two streams in turn stay bounded too. */
    static final int MAX_CHUNKS = 256;

    /** One piece of output, or the end of a stream. */
    public static final class Chunk {
        private final OutputStreamKind stream;
        private final long sequence;
        private final boolean eof;
        private final boolean truncated;
        private byte[] bytes;
        private int length;

        private Chunk(OutputStreamKind stream, long sequence, boolean eof, boolean truncated, byte[] bytes) {
            this.stream = stream;
            this.sequence = sequence;
            this.eof = eof;
            this.truncated = truncated;
            this.bytes = bytes;
            this.length = bytes.length;
        }

        public OutputStreamKind stream() {
            return stream;
        }

        public long sequence() {
            return sequence;
        }

        public boolean eof() {
            return eof;
        }

        public boolean truncated() {
            return truncated;
        }

        public byte[] data() {
            if (bytes.length != length) {
                bytes = Arrays.copyOf(bytes, length);
            }
            return bytes;
        }

        private boolean takes(OutputStreamKind kind, int more, int most) {
            return !eof && stream == kind && length + more <= most;
        }

        private void append(byte[] more) {
            if (length + more.length > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(length + more.length, bytes.length * 2));
            }
            System.arraycopy(more, 0, bytes, length, more.length);
            length += more.length;
        }
    }

    /** Unacknowledged output that is given up. */
    public record Loss(int chunks, Map<OutputStreamKind, Long> bytes) {}

    private final Limits limits;
    private final Map<Long, Chunk> chunks = new HashMap<>();
    private long bytes;
    private long newest;
    private long sealed;
    private long sent;
    private long consumed;

    public Spool(Limits limits) {
        this.limits = limits;
    }

    /** Whether reading must pause until something is consumed. */
    public boolean full() {
        return bytes + limits.chunkBytes() > limits.spoolBytes() || chunks.size() >= MAX_CHUNKS;
    }

    public void add(OutputStreamKind stream, byte[] data) {
        Chunk last = chunks.get(newest);
        if (last != null && newest > sealed && last.takes(stream, data.length, limits.chunkBytes())) {
            last.append(data);
        } else {
            put(stream, false, false, data);
        }
        bytes += data.length;
    }

    /** The end of a stream is a chunk of its own. */
    public void end(OutputStreamKind stream, boolean truncated) {
        put(stream, true, truncated, new byte[0]);
    }

    private void put(OutputStreamKind stream, boolean eof, boolean truncated, byte[] data) {
        newest++;
        chunks.put(newest, new Chunk(stream, newest, eof, truncated, data));
    }

    /** The next chunk for the receiver; null when there is none, or too many are out. */
    public Chunk nextToSend() {
        if (sent >= newest || sent - consumed >= limits.outstanding()) {
            return null;
        }
        sent++;
        sealed = Math.max(sealed, sent);
        return chunks.get(sent);
    }

    /** The chunk of that sequence for the log, which never grows again; null when there is none. */
    public Chunk sealed(long sequence) {
        Chunk chunk = chunks.get(sequence);
        if (chunk != null) {
            sealed = Math.max(sealed, sequence);
        }
        return chunk;
    }

    /** Whether everything up to {@code sequence} was sent to the present receiver. */
    public boolean wasSent(long sequence) {
        return sequence <= sent;
    }

    /** Sends again from the first unconsumed chunk on. */
    public void rewind() {
        sent = consumed;
    }

    /** Drops what is consumed. @return whether anything was */
    public boolean consume(long through) {
        long before = consumed;
        while (consumed < through && consumed < newest) {
            consumed++;
            bytes -= chunks.remove(consumed).length;
        }
        sent = Math.max(sent, consumed);
        return consumed > before;
    }

    public int unacknowledged() {
        return chunks.size();
    }

    public long unacknowledgedBytes() {
        return bytes;
    }

    public long newest() {
        return newest;
    }

    /** Gives up everything that is left. */
    public Loss giveUp() {
        Map<OutputStreamKind, Long> lost = new EnumMap<>(OutputStreamKind.class);
        chunks.values().forEach(chunk -> lost.merge(chunk.stream, (long) chunk.length, Long::sum));
        Loss loss = new Loss(chunks.size(), lost);
        consume(newest);
        return loss;
    }
}
