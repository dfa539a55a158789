package org.berth.harness.frame;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/** Tells the two faults of a broken line apart. */
final class StrictUtf8 {
    private static final int CHARACTERS = 4 << 10;

    private StrictUtf8() {}

    /** Whether the whole line is well-formed UTF-8. */
    static boolean holds(Frame frame) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer sink = CharBuffer.allocate(CHARACTERS);
        ByteBuffer carried = ByteBuffer.allocate(0);
        for (Frame.Piece piece : frame.pieces()) {
            ByteBuffer bytes = ByteBuffer.wrap(piece.bytes(), piece.from(), piece.to() - piece.from());
            while (carried.hasRemaining() && bytes.hasRemaining()) {
                carried = ByteBuffer.allocate(carried.remaining() + 1)
                        .put(carried)
                        .put(bytes.get())
                        .flip();
                if (decodes(decoder, carried, sink)) {
                    return false;
                }
            }
            if (decodes(decoder, bytes, sink)) {
                return false;
            }
            if (bytes.hasRemaining()) {
                carried = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
            }
        }
        return !carried.hasRemaining();
    }

    /** Decodes what is whole, and leaves the beginning of a character; true when it met an error. */
    private static boolean decodes(CharsetDecoder decoder, ByteBuffer bytes, CharBuffer sink) {
        while (true) {
            sink.clear();
            var result = decoder.decode(bytes, sink, false);
            if (!result.isOverflow()) {
                return result.isError();
            }
        }
    }
}
