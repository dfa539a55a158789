package org.berth.guest.terminal;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.berth.guest.os.TerminalSize;

/** What a viewer sends: one byte of kind, two of length (big endian), then the payload of at most 65535 bytes. */
sealed interface ViewerFrame {
    /** Kind of keys: {@value}. */
    byte KEYS = 0;

    /** Kind of a size, {@code ROWSxCOLUMNS} in ASCII: {@value}. */
    byte SIZE = 1;

    /** What was typed. */
    record Keys(byte[] bytes) implements ViewerFrame {}

    /** The viewer's terminal has another size; also the first frame. */
    record Size(TerminalSize size) implements ViewerFrame {}

    /** @return null at the end; @throws IOException also for what is no frame */
    static ViewerFrame read(DataInputStream in) throws IOException {
        int kind = in.read();
        if (kind < 0) {
            return null;
        }
        byte[] payload = new byte[in.readUnsignedShort()];
        try {
            in.readFully(payload);
            return switch (kind) {
                case KEYS -> new Keys(payload);
                case SIZE -> new Size(TerminalSize.parse(new String(payload, StandardCharsets.US_ASCII)));
                default -> throw new IOException("unknown frame " + kind);
            };
        } catch (EOFException e) {
            return null;
        } catch (IllegalArgumentException e) {
            throw new IOException("not a size", e);
        }
    }

    static ByteBuffer keys(byte[] bytes, int offset, int length) {
        return ByteBuffer.allocate(3 + length)
                .put(KEYS)
                .putShort((short) length)
                .put(bytes, offset, length)
                .flip();
    }

    static ByteBuffer size(TerminalSize size) {
        byte[] text = size.toString().getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(3 + text.length)
                .put(SIZE)
                .putShort((short) text.length)
                .put(text)
                .flip();
    }
}
