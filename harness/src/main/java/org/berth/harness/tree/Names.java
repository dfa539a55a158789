package org.berth.harness.tree;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Names of files as text and back, without loss: bytes that are not UTF-8 become the lone surrogates U+DC80 to U+DCFF,
 * which no UTF-8 text holds. Source: Python's PEP 383, which names the same range.
 */
public final class Names {
    private static final int ESCAPE = 0xDC00;
    private static final int FIRST_ESCAPED = 0xDC80;
    private static final int LAST_ESCAPED = 0xDCFF;

    private Names() {}

    /** The text of {@code length} bytes of {@code bytes}. */
    public static String decode(byte[] bytes, int offset, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes[offset + i] < 0) {
                return decodeAny(bytes, offset, length);
            }
        }
        return new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
    }

    private static String decodeAny(byte[] bytes, int offset, int length) {
        ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
        StringBuilder text = new StringBuilder(length);
        var decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer out = CharBuffer.allocate(length);
        while (true) {
            var result = decoder.decode(in, out, true);
            text.append(out.flip());
            out.clear();
            if (!result.isError()) {
                return text.toString();
            }
            for (int i = 0; i < result.length(); i++) {
                text.append((char) (ESCAPE + (in.get() & 0xff)));
            }
            decoder.reset();
        }
    }

    /** The bytes of a name or path that {@link #decode} gave, or of any text without lone surrogates. */
    public static byte[] encode(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= FIRST_ESCAPED && c <= LAST_ESCAPED && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)))) {
                return encodeEscaped(text);
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] encodeEscaped(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(text.length() * 3);
        int at = 0;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            if (point >= FIRST_ESCAPED && point <= LAST_ESCAPED) {
                bytes.put((byte) (point - ESCAPE));
            } else {
                bytes.put(Character.toString(point).getBytes(StandardCharsets.UTF_8));
            }
            at += Character.charCount(point);
        }
        byte[] result = new byte[bytes.position()];
        bytes.get(0, result);
        return result;
    }

    /** Whether {@code bytes} are UTF-8 from their first to their last. */
    public static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
