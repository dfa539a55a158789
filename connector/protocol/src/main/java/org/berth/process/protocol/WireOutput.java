package org.berth.process.protocol;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** A growing big-endian buffer. Not safe for several threads. */
final class WireOutput {
    /** Bytes from which a value that is the last one is not copied. Source: an own choice, a page. */
    private static final int BORROWED_BYTES = 4096;

    private byte[] bytes;
    private int size;
    private byte[] tail;

    WireOutput(int capacity) {
        bytes = new byte[capacity];
    }

    private int room(int count) {
        if (tail != null) {
            byte[] borrowed = tail;
            tail = null;
            copy(borrowed);
        }
        int at = size;
        if (bytes.length - size < count) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, count)));
        }
        size += count;
        return at;
    }

    void putByte(byte value) {
        int at = room(1);
        bytes[at] = value;
    }

    void putInt(int value) {
        int at = room(4);
        ByteBuffer.wrap(bytes).putInt(at, value);
    }

    void putLong(long value) {
        int at = room(8);
        ByteBuffer.wrap(bytes).putLong(at, value);
    }

    /** {@code value} must not change until the output is written. */
    void putBytes(byte[] value) {
        if (value.length < BORROWED_BYTES) {
            copy(value);
        } else {
            room(0);
            tail = value;
        }
    }

    private void copy(byte[] value) {
        int at = room(value.length);
        System.arraycopy(value, 0, bytes, at, value.length);
    }

    int size() {
        return size + (tail == null ? 0 : tail.length);
    }

    ByteBuffer toBuffer() {
        room(0);
        return ByteBuffer.wrap(bytes, 0, size);
    }

    /** The same bytes in one or two buffers, a large last value uncopied. */
    List<ByteBuffer> toBuffers() {
        ByteBuffer head = ByteBuffer.wrap(bytes, 0, size);
        return tail == null ? List.of(head) : List.of(head, ByteBuffer.wrap(tail));
    }
}
