package org.berth.process.protocol;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** A growing big-endian buffer. Not safe for several threads. */
final class WireOutput {
    private byte[] bytes;
    private int size;

    WireOutput(int capacity) {
        bytes = new byte[capacity];
    }

    private int room(int count) {
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

    void putBytes(byte[] value) {
        int at = room(value.length);
        System.arraycopy(value, 0, bytes, at, value.length);
    }

    int size() {
        return size;
    }

    ByteBuffer toBuffer() {
        return ByteBuffer.wrap(bytes, 0, size);
    }
}
