package org.berth.process.protocol;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.berth.environment.CommandOrder;

/**
 * Bytes of a frame: {@code u32 length, u8 type, u64 correlation, payload}, big-endian; {@code length} counts what
 * follows it. The type is the index in {@link #TYPES}. Stateless and safe for any thread.
 */
public final class FrameCodec {
    /** Changes whenever a frame's shape or order does; told in the hello. */
    public static final int VERSION = 3;

    /**
     * The largest frame in bytes, its length field not counted: a command's reply with both streams at their bound. A
     * spawn with every limit of placement.md at its end is smaller.
     */
    public static final int MAX_FRAME_BYTES = 2 * CommandOrder.MOST_OUTPUT_BYTES + 64 * 1024;

    /** Bytes before the payload: length, type, correlation. */
    public static final int HEADER_BYTES = 4 + 1 + 8;

    private static final List<Class<?>> TYPES = types();

    private FrameCodec() {}

    private static List<Class<?>> types() {
        List<Class<?>> all = new ArrayList<>();
        for (Class<?> family : List.of(Frame.Order.class, Frame.Reply.class, Frame.Notice.class)) {
            all.addAll(List.of(family.getPermittedSubclasses()));
        }
        return List.copyOf(all);
    }

    /** The whole frame, length field included, ready to be written. */
    public static ByteBuffer encode(long correlation, Frame frame) {
        WireOutput out = write(correlation, frame);
        ByteBuffer bytes = out.toBuffer();
        bytes.putInt(0, out.size() - 4);
        return bytes;
    }

    /**
     * As {@link #encode}, in one or two buffers to be written one after the other: a large array at the frame's end is
     * not copied and must not change until it is written.
     */
    public static List<ByteBuffer> encodeParts(long correlation, Frame frame) {
        WireOutput out = write(correlation, frame);
        List<ByteBuffer> parts = out.toBuffers();
        parts.getFirst().putInt(0, out.size() - 4);
        return parts;
    }

    private static WireOutput write(long correlation, Frame frame) {
        WireOutput out = new WireOutput(HEADER_BYTES + 256);
        out.putInt(0);
        out.putByte((byte) TYPES.indexOf(frame.getClass()));
        out.putLong(correlation);
        RecordCodec.of(frame.getClass()).write(out, frame);
        int length = out.size() - 4;
        if (length > MAX_FRAME_BYTES) {
            throw new ProtocolException("a frame of " + length + " bytes is over " + MAX_FRAME_BYTES);
        }
        return out;
    }

    /** Whether {@code buffer} (position to limit) begins with a whole frame. */
    public static boolean holdsFrame(ByteBuffer buffer) {
        return buffer.remaining() >= 4 && buffer.remaining() - 4 >= frameLength(buffer);
    }

    /** The value of the length field at the buffer's position; at least 4 bytes remain. */
    public static int frameLength(ByteBuffer buffer) {
        int length = buffer.getInt(buffer.position());
        if (length < HEADER_BYTES - 4 || length > MAX_FRAME_BYTES) {
            throw new ProtocolException("a frame's length of " + length + " is out of range");
        }
        return length;
    }

    /** Takes one whole frame off {@code buffer}. */
    public static Envelope decode(ByteBuffer buffer) {
        int length = frameLength(buffer);
        ByteBuffer body = buffer.slice(buffer.position() + 4, length);
        buffer.position(buffer.position() + 4 + length);
        int type = body.get() & 0xff;
        long correlation = body.getLong();
        if (type >= TYPES.size()) {
            throw new ProtocolException("no frame has the type " + type);
        }
        Frame frame = (Frame) RecordCodec.of(TYPES.get(type)).read(body);
        if (body.hasRemaining()) {
            throw new ProtocolException("a frame of type " + type + " has bytes left over");
        }
        return new Envelope(correlation, frame);
    }

    /** A frame with its correlation number. */
    public record Envelope(long correlation, Frame frame) {}
}
