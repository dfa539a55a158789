package org.berth.harness.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Reads the inside of one JSON string in parts, up to its closing quote: strict escapes and strict UTF-8. What is plain
 * ASCII and not wanted is passed over eight bytes at a time.
 */
final class StringScanner {
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private enum State {
        TEXT,
        ESCAPE,
        HEX,
        ENDED,
        BROKEN
    }

    private final StringBuilder text = new StringBuilder();

    private State state = State.ENDED;
    private int wantedCharacters;
    private int continuations;
    private int low;
    private int high;
    private int codePoint;
    private int hexDigits;
    private int hexValue;

    /** A string begins; its text is wanted when it has at most {@code characters} characters, of which 0 is none. */
    void start(int characters) {
        wantedCharacters = characters;
        continuations = 0;
        text.setLength(0);
        state = State.TEXT;
    }

    boolean isEnded() {
        return state == State.ENDED;
    }

    boolean isBroken() {
        return state == State.BROKEN;
    }

    /** The text of an ended string, when it was wanted and is not too long. */
    Optional<String> text() {
        return wantedCharacters > 0 && text.length() <= wantedCharacters
                ? Optional.of(text.toString())
                : Optional.empty();
    }

    /** Reads on until the string ends or breaks, or the bytes do; returns where it stopped. */
    int feed(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && state != State.ENDED && state != State.BROKEN) {
            if (state == State.TEXT && wantedCharacters == 0 && continuations == 0) {
                at = unwanted(bytes, at, to);
                if (at == to) {
                    return to;
                }
            }
            next(bytes[at++]);
        }
        return at;
    }

    private void next(byte b) {
        switch (state) {
            case ESCAPE -> escape(b);
            case HEX -> hex(b);
            default -> {
                int unsigned = b & 0xff;
                if (continuations > 0) {
                    continuation(unsigned);
                } else if (unsigned >= 0x80) {
                    lead(unsigned);
                } else if (unsigned == '"') {
                    state = State.ENDED;
                } else if (unsigned == '\\') {
                    state = State.ESCAPE;
                } else if (unsigned < 0x20) {
                    state = State.BROKEN;
                } else {
                    capture((char) unsigned);
                }
            }
        }
    }

    /** Passes over plain ASCII and whole escapes of two bytes; stops where {@link #plain} does otherwise. */
    private static int unwanted(byte[] bytes, int from, int to) {
        int at = plain(bytes, from, to);
        while (at < to - 1 && bytes[at] == '\\' && isShortEscape(bytes[at + 1])) {
            at = plain(bytes, at + 2, to);
        }
        return at;
    }

    private static boolean isShortEscape(byte b) {
        return switch (b) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> true;
            default -> false;
        };
    }

    /** Passes over plain ASCII: stops at a quote, a backslash, a control character, a byte above 0x7f, or the end. */
    private static int plain(byte[] bytes, int from, int to) {
        int at = from;
        for (; at <= to - 16; at += 16) {
            if (((special((long) WORDS.get(bytes, at)) | special((long) WORDS.get(bytes, at + 8))) & HIGHS) != 0) {
                break;
            }
        }
        for (; at <= to - 8; at += 8) {
            long found = special((long) WORDS.get(bytes, at)) & HIGHS;
            if (found != 0) {
                return at + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (at < to && bytes[at] >= 0x20 && bytes[at] != '"' && bytes[at] != '\\') {
            at++;
        }
        return at;
    }

    /**
     * The high bit of a byte is set for the first special byte of the word; those after it may be wrong. With its second
     * bit turned, a byte is below 0x21 when it was a quote or a control character, and a subtraction borrows for it.
     */
    private static long special(long word) {
        long quoteOrControl = (word ^ (ONES * 0x02)) - ONES * 0x21;
        long backslash = (word ^ (ONES * '\\')) - ONES;
        return word | quoteOrControl | backslash;
    }

    /** The strict ranges of well-formed UTF-8. Source: The Unicode Standard, table 3-7. */
    private void lead(int b) {
        if (b < 0xc2 || b > 0xf4) {
            state = State.BROKEN;
            return;
        }
        continuations = b < 0xe0 ? 1 : b < 0xf0 ? 2 : 3;
        codePoint = b & (0x3f >> continuations);
        low = b == 0xe0 ? 0xa0 : b == 0xf0 ? 0x90 : 0x80;
        high = b == 0xed ? 0x9f : b == 0xf4 ? 0x8f : 0xbf;
    }

    private void continuation(int b) {
        if (b < low || b > high) {
            state = State.BROKEN;
            return;
        }
        low = 0x80;
        high = 0xbf;
        codePoint = codePoint << 6 | b & 0x3f;
        if (--continuations == 0 && wantedCharacters > 0) {
            for (char unit : Character.toChars(codePoint)) {
                capture(unit);
            }
        }
    }

    private void escape(byte b) {
        state = State.TEXT;
        switch (b) {
            case '"', '\\', '/' -> capture((char) b);
            case 'b' -> capture('\b');
            case 'f' -> capture('\f');
            case 'n' -> capture('\n');
            case 'r' -> capture('\r');
            case 't' -> capture('\t');
            case 'u' -> {
                hexDigits = 0;
                hexValue = 0;
                state = State.HEX;
            }
            default -> state = State.BROKEN;
        }
    }

    private void hex(byte b) {
        int digit = b < 0 ? -1 : Character.digit((char) b, 16);
        if (digit < 0) {
            state = State.BROKEN;
            return;
        }
        hexValue = hexValue << 4 | digit;
        if (++hexDigits == 4) {
            capture((char) hexValue);
            state = State.TEXT;
        }
    }

    /** Keeps one character more than is wanted, by which a longer text is known. */
    private void capture(char unit) {
        if (text.length() <= wantedCharacters && wantedCharacters > 0) {
            text.append(unit);
        }
    }
}
