package org.berth.engine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Standard streams of one command in a container: what is written is its input, its output comes in frames of eight bytes
 * of head, the first being the stream's number and the last four the length. For one thread at a time. Source: facts on
 * Podman's REST interface.
 */
public final class ExecStream implements AutoCloseable {
    private static final int HEAD_BYTES = 8;
    private static final int LENGTH_AT = 4;
    private static final int STDOUT = 1;
    private static final int STDERR = 2;
    private static final int MAX_ERRORS = 4096;

    private final TimedChannel channel;
    private final ByteBuffer early;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    ExecStream(EngineHttp.Upgraded upgraded) {
        this.channel = upgraded.channel();
        this.early = upgraded.early();
    }

    /** Whether the command is still joined and has said nothing unasked. */
    public boolean quiet() {
        return !early.hasRemaining() && pending.size() == 0 && channel.quiet();
    }

    /**
     * Writes {@code line} and its end, and reads one line.
     *
     * @throws IOException when none came within {@code timeoutMillis}, or one over {@code maxBytes}
     */
    public byte[] exchange(byte[] line, int maxBytes, int timeoutMillis) throws IOException {
        channel.timeout(timeoutMillis);
        channel.write(
                ByteBuffer.allocate(line.length + 1).put(line).put((byte) '\n').flip());
        return line(maxBytes);
    }

    private byte[] line(int maxBytes) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
        while (true) {
            byte[] frame = frame(head.clear(), maxBytes);
            if (head.get(0) == STDERR) {
                errors.write(frame, 0, Math.min(frame.length, MAX_ERRORS - errors.size()));
                continue;
            }
            int end = 0;
            while (end < frame.length && frame[end] != '\n') {
                end++;
            }
            if (pending.size() + end > maxBytes) {
                throw new IOException("a reply is over its bound");
            }
            pending.write(frame, 0, end);
            if (end < frame.length) {
                byte[] line = pending.toByteArray();
                pending.reset();
                pending.write(frame, end + 1, frame.length - end - 1);
                return line;
            }
        }
    }

    private byte[] frame(ByteBuffer head, int maxBytes) throws IOException {
        readFully(head);
        int kind = head.get(0);
        int length = head.getInt(LENGTH_AT);
        if (kind != STDOUT && kind != STDERR || length < 0 || length > maxBytes) {
            throw new IOException(
                    "no frame of a stream came: " + new String(errors.toByteArray(), StandardCharsets.UTF_8));
        }
        ByteBuffer payload = ByteBuffer.allocate(length);
        readFully(payload);
        return payload.array();
    }

    private void readFully(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining() && early.hasRemaining()) {
            bytes.put(early.get());
        }
        try {
            channel.readFully(bytes);
        } catch (java.io.EOFException e) {
            throw new IOException(
                    "the command ended: " + new String(errors.toByteArray(), StandardCharsets.UTF_8).strip(), e);
        }
    }

    @Override
    public void close() {
        channel.close();
    }
}
