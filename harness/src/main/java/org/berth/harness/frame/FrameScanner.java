package org.berth.harness.frame;

import java.util.Optional;

/**
 * Reads one JSON object in one pass, in parts: strict syntax, strict UTF-8, and the header's three fields, without a tree.
 * A header field that comes twice makes it no frame, since its readers could disagree on which one counts.
 */
final class FrameScanner {
    /** How deep values may nest; a parser of the accepted frame has a limit of its own (Parsson's is 1000). */
    static final int MAX_DEPTH = 512;

    /** The longest name of a header field. */
    private static final int KEY_CHARACTERS = 5;

    private enum State {
        START,
        VALUE,
        VALUE_OR_CLOSE,
        KEY,
        KEY_OR_CLOSE,
        COLON,
        NEXT,
        STRING,
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
    private final StringScanner string = new StringScanner();

    private State state;
    private int depth;
    private boolean inData;
    private Field field;
    private boolean isKey;
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
        string.start(characters);
        state = State.STRING;
    }

    private int string(byte[] bytes, int from, int to) {
        int at = string.feed(bytes, from, to);
        if (string.isBroken()) {
            state = State.BROKEN;
        } else if (string.isEnded()) {
            stringEnded();
        }
        return at;
    }

    private void stringEnded() {
        Optional<String> text = string.text();
        if (!isKey) {
            text.ifPresent(value -> values[field.ordinal()] = value);
            ended();
            return;
        }
        field = text.map(this::field).orElse(Field.NONE);
        state = field != Field.NONE && seen[field.ordinal()] ? State.BROKEN : State.COLON;
        seen[field.ordinal()] = true;
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
