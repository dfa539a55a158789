package org.berth.process.egress;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Hands on exactly one request's body, so that what a client sends after it never reaches an endpoint that it was not
 * meant for. Chunked framing is handed on as it is. Used by one thread.
 */
final class RequestBody {
    private static final int MAX_LINE = 4096;
    private static final int MAX_TRAILER_LINES = 64;

    private final SocketChannel client;
    private final ByteBuffer buffer;

    /** @param buffer holds what was read after the head, ready to be read from */
    RequestBody(SocketChannel client, ByteBuffer buffer) {
        this.client = client;
        this.buffer = buffer;
    }

    /** Hands on {@code length} bytes, or a chunked body; then waits for the client's end and hands that on. */
    void forward(long length, SocketChannel upstream, Splice splice) throws IOException {
        if (length == RequestHead.CHUNKED) {
            chunks(upstream, splice);
        } else {
            bytes(length, upstream, splice);
        }
        if (!buffer.hasRemaining() && client.read(buffer.clear()) < 0) {
            upstream.shutdownOutput();
        }
    }

    private void bytes(long length, SocketChannel upstream, Splice splice) throws IOException {
        long left = length;
        while (left > 0) {
            require();
            int limit = buffer.limit();
            int part = (int) Math.min(left, buffer.remaining());
            buffer.limit(buffer.position() + part);
            splice.write(upstream, buffer);
            buffer.limit(limit);
            left -= part;
        }
    }

    private void chunks(SocketChannel upstream, Splice splice) throws IOException {
        long size;
        do {
            byte[] line = line();
            size = chunkSize(line);
            splice.write(upstream, ByteBuffer.wrap(line));
            if (size > 0) {
                bytes(size, upstream, splice);
                byte[] end = line();
                if (end.length != 2) {
                    throw new IOException("a chunk is longer than it says");
                }
                splice.write(upstream, ByteBuffer.wrap(end));
            }
        } while (size > 0);
        for (int i = 0; i < MAX_TRAILER_LINES; i++) {
            byte[] line = line();
            splice.write(upstream, ByteBuffer.wrap(line));
            if (line.length == 2) {
                return;
            }
        }
        throw new IOException("too many trailers");
    }

    private static long chunkSize(byte[] line) throws IOException {
        long size = 0;
        int digits = 0;
        for (; digits < line.length; digits++) {
            int digit = Character.digit((char) line[digits], 16);
            if (digit < 0) {
                break;
            }
            if (digits == 15) {
                throw new IOException("a chunk's size is too large");
            }
            size = size << 4 | digit;
        }
        if (digits == 0 || line[digits] != ';' && line[digits] != '\r') {
            throw new IOException("not a chunk's size");
        }
        return size;
    }

    /** One line with its CR and LF. */
    private byte[] line() throws IOException {
        byte[] line = new byte[MAX_LINE];
        int length = 0;
        do {
            require();
            if (length == MAX_LINE) {
                throw new IOException("a line is too long");
            }
            line[length++] = buffer.get();
        } while (line[length - 1] != '\n');
        if (length < 2 || line[length - 2] != '\r') {
            throw new IOException("a line ends with CR and LF");
        }
        return java.util.Arrays.copyOf(line, length);
    }

    private void require() throws IOException {
        if (!buffer.hasRemaining()) {
            int read = client.read(buffer.clear());
            buffer.flip();
            if (read < 0) {
                throw new EOFException("the body ended early");
            }
        }
    }
}
