package org.berth.harness.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Reads one JSON object in one pass, in parts: strict syntax, strict UTF-8, and the header's three fields, without a tree.
 * A header field that comes twice makes it no frame, since its readers could disagree on which one counts.
 *
 * <p>Text inside strings is passed over eight bytes at a time while it is plain ASCII.
 */
final class FrameScanner {
    /** How deep values may nest; a parser of the accepted frame has a limit of its own (Parsson's is 1000). */
    static final int MAX_DEPTH = 512;

    private static final int KEY_CHARACTERS = 5;
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private enum State {
        START,
        VALUE,
        VALUE_OR_CLOSE,
        KEY,
        KEY_OR_CLOSE,
        COLON,
        NEXT,
        STRING,
        ESCAPE,
        HEX,
        MINUS,
        ZERO,
        DIGITS,
        POINT,
        FRACTION,
        EXPONENT,
        EXPONENT_SIGN,
        EXPONENT_DIGITS,
        LITERAL,
        DONE,
        BROKEN
    }

    private enum Field {
        NONE,
        EVENT,
        ID,
        DATA,
        TYPE
    }

    private final int valueCharacters;
    private final boolean[] objects = new boolean[MAX_DEPTH + 1];
    private final String[] values = new String[Field.values().length];
    private final boolean[] seen = new boolean[Field.values().length];
    private final StringBuilder text = new StringBuilder();

    private State state;
    private int depth;
    private boolean inData;
    private Field field;
    private boolean isKey;
    private int captureCharacters;
    private int continuations;
    private int low;
    private int high;
    private int codePoint;
    private int hexDigits;
    private int hexValue;
    private String literal;
    private int literalAt;

    FrameScanner(int valueCharacters) {
        this.valueCharacters = valueCharacters;
        reset();
    }

    void reset() {
        state = State.START;
        depth = 0;
        inData = false;
        field = Field.NONE;
        continuations = 0;
        for (int i = 0; i < values.length; i++) {
            values[i] = null;
            seen[i] = false;
        }
    }

    /** Reads on; false when what was read is no beginning of a frame. */
    boolean feed(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && state != State.BROKEN) {
            if (state == State.STRING) {
                at = string(bytes, at, to);
            } else {
                at = token(bytes[at]) ? at + 1 : at;
            }
        }
        return state != State.BROKEN;
    }

    /** Whether a whole object was read, and nothing but white space after it. */
    boolean isComplete() {
        return state == State.DONE;
    }

    /** What was read of the header so far. */
    FrameHeader header() {
        return new FrameHeader(value(Field.EVENT), value(Field.ID), value(Field.TYPE));
    }

    private Optional<String> value(Field of) {
        return Optional.ofNullable(values[of.ordinal()]);
    }

    /** Reads one byte outside a string's text; false when it belongs to what follows a number. */
    private boolean token(byte b) {
        switch (state) {
            case START -> {
                if (b == '{') {
                    open(true);
                } else {
                    blankOr(b);
                }
            }
            case VALUE -> value(b);
            case VALUE_OR_CLOSE -> {
                if (b == ']') {
                    close(false);
                } else {
                    value(b);
                }
            }
            case KEY -> key(b);
            case KEY_OR_CLOSE -> {
                if (b == '}') {
                    close(true);
                } else {
                    key(b);
                }
            }
            case COLON -> {
                if (b == ':') {
                    state = State.VALUE;
                } else {
                    blankOr(b);
                }
            }
            case NEXT -> next(b);
            case ESCAPE -> escape(b);
            case HEX -> hex(b);
            case LITERAL -> literal(b);
            case DONE -> blankOr(b);
            default -> {
                return number(b);
            }
        }
        return true;
    }

    private void blankOr(byte b) {
        if (b != ' ' && b != '\t' && b != '\r') {
            state = State.BROKEN;
        }
    }

    private void open(boolean object) {
        if (depth == MAX_DEPTH) {
            state = State.BROKEN;
            return;
        }
        inData |= object && depth == 1 && field == Field.DATA;
        field = Field.NONE;
        objects[++depth] = object;
        state = object ? State.KEY_OR_CLOSE : State.VALUE_OR_CLOSE;
    }

    private void close(boolean object) {
        if (objects[depth] != object) {
            state = State.BROKEN;
            return;
        }
        depth--;
        inData &= depth > 1;
        ended();
    }

    private void ended() {
        field = Field.NONE;
        state = depth == 0 ? State.DONE : State.NEXT;
    }

    private void value(byte b) {
        switch (b) {
            case '{' -> open(true);
            case '[' -> open(false);
            case '"' -> {
                boolean wanted = field == Field.EVENT || field == Field.ID || field == Field.TYPE;
                startString(false, wanted ? valueCharacters : 0);
            }
            case '-' -> state = State.MINUS;
            case '0' -> state = State.ZERO;
            case '1', '2', '3', '4', '5', '6', '7', '8', '9' -> state = State.DIGITS;
            case 't' -> startLiteral("true");
            case 'f' -> startLiteral("false");
            case 'n' -> startLiteral("null");
            default -> blankOr(b);
        }
    }

    private void key(byte b) {
        if (b == '"') {
            startString(true, depth == 1 || depth == 2 && inData ? KEY_CHARACTERS : 0);
        } else {
            blankOr(b);
        }
    }

    private void next(byte b) {
        switch (b) {
            case ',' -> state = objects[depth] ? State.KEY : State.VALUE;
            case '}' -> close(true);
            case ']' -> close(false);
            default -> blankOr(b);
        }
    }

    private void startLiteral(String word) {
        literal = word;
        literalAt = 1;
        state = State.LITERAL;
    }

    private void literal(byte b) {
        if (b != literal.charAt(literalAt++)) {
            state = State.BROKEN;
        } else if (literalAt == literal.length()) {
            ended();
        }
    }

    private boolean number(byte b) {
        boolean digit = b >= '0' && b <= '9';
        State following = switch (state) {
            case MINUS -> digit ? (b == '0' ? State.ZERO : State.DIGITS) : State.BROKEN;
            case ZERO -> digit ? State.BROKEN : afterInteger(b);
            case DIGITS -> digit ? State.DIGITS : afterInteger(b);
            case POINT -> digit ? State.FRACTION : State.BROKEN;
            case FRACTION -> digit ? State.FRACTION : b == 'e' || b == 'E' ? State.EXPONENT : null;
            case EXPONENT -> digit ? State.EXPONENT_DIGITS : b == '+' || b == '-' ? State.EXPONENT_SIGN : State.BROKEN;
            case EXPONENT_SIGN -> digit ? State.EXPONENT_DIGITS : State.BROKEN;
            case EXPONENT_DIGITS -> digit ? State.EXPONENT_DIGITS : null;
            default -> State.BROKEN;
        };
        if (following == null) {
            ended();
            return false;
        }
        state = following;
        return true;
    }

    private static State afterInteger(byte b) {
        return b == '.' ? State.POINT : b == 'e' || b == 'E' ? State.EXPONENT : null;
    }

    private void startString(boolean key, int characters) {
        isKey = key;
        captureCharacters = characters;
        text.setLength(0);
        state = State.STRING;
    }

    private int string(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            if (captureCharacters == 0 && continuations == 0) {
                at = plain(bytes, at, to);
                if (at == to) {
                    return to;
                }
            }
            int b = bytes[at++] & 0xff;
            if (continuations > 0) {
                continuation(b);
            } else if (b >= 0x80) {
                lead(b);
            } else if (b == '"') {
                stringEnded();
            } else if (b == '\\') {
                state = State.ESCAPE;
            } else if (b < 0x20) {
                state = State.BROKEN;
            } else {
                capture((char) b);
            }
            if (state != State.STRING) {
                return at;
            }
        }
        return at;
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

    /** The high bit of a byte is set for the first special byte of the word; those after it may be wrong. */
    private static long special(long word) {
        long quote = word ^ (ONES * '"');
        long backslash = word ^ (ONES * '\\');
        return word | ((word - ONES * 0x20) & ~word) | ((quote - ONES) & ~quote) | ((backslash - ONES) & ~backslash);
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
        if (--continuations == 0 && captureCharacters > 0) {
            for (char unit : Character.toChars(codePoint)) {
                capture(unit);
            }
        }
    }

    private void escape(byte b) {
        state = State.STRING;
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
            state = State.STRING;
        }
    }

    /** Keeps one character more than is wanted, by which a longer text is known. */
    private void capture(char unit) {
        if (text.length() <= captureCharacters && captureCharacters > 0) {
            text.append(unit);
        }
    }

    private void stringEnded() {
        boolean whole = captureCharacters > 0 && text.length() <= captureCharacters;
        if (isKey) {
            field = whole ? field(text.toString()) : Field.NONE;
            state = State.COLON;
            if (field != Field.NONE) {
                if (seen[field.ordinal()]) {
                    state = State.BROKEN;
                }
                seen[field.ordinal()] = true;
            }
            return;
        }
        if (whole) {
            values[field.ordinal()] = text.toString();
        }
        ended();
    }

    private Field field(String key) {
        if (depth == 2) {
            return key.equals("type") ? Field.TYPE : Field.NONE;
        }
        return switch (key) {
            case "event" -> Field.EVENT;
            case "id" -> Field.ID;
            case "data" -> Field.DATA;
            default -> Field.NONE;
        };
    }
}
