package org.berth.process.supervisor.channel;

import java.util.Arrays;

/**
 * The members of one JSON object of one line, as bytes. Knows strings and brackets, and leaves the values to whoever
 * reads them.
 */
final class JsonMembers {
    /** Nesting at most. Source: an own choice, over that of every message of the helper. */
    private static final int MOST_DEPTH = 512;

    private final byte[] text;
    private int at;

    private JsonMembers(byte[] text) {
        this.text = text;
    }

    /**
     * The value of the object's first member of that name.
     *
     * @return null when it has none
     * @throws IllegalArgumentException when {@code text} is not one object
     */
    static byte[] value(byte[] text, String name) {
        return new JsonMembers(text).find("\"" + name + "\"");
    }

    /** @throws IllegalArgumentException when {@code text} is not one object in one line */
    static void requireObject(byte[] text) {
        new JsonMembers(text).find("");
    }

    private byte[] find(String quotedName) {
        byte[] found = null;
        blanks();
        take('{');
        blanks();
        if (peek() == '}') {
            at++;
        } else {
            do {
                blanks();
                int start = at;
                string();
                boolean wanted =
                        quotedName.equals(new String(text, start, at - start, java.nio.charset.StandardCharsets.UTF_8));
                blanks();
                take(':');
                blanks();
                start = at;
                value();
                if (wanted && found == null) {
                    found = Arrays.copyOfRange(text, start, at);
                }
                blanks();
            } while (more());
        }
        blanks();
        if (at != text.length) {
            throw malformed();
        }
        return found;
    }

    private boolean more() {
        if (peek() == ',') {
            at++;
            return true;
        }
        take('}');
        return false;
    }

    private void value() {
        int depth = 0;
        int start = at;
        while (true) {
            byte next = peek();
            if (next == '"') {
                string();
            } else if (next == '{' || next == '[') {
                if (++depth > MOST_DEPTH) {
                    throw malformed();
                }
                at++;
            } else if (next == '}' || next == ']') {
                if (depth == 0) {
                    break;
                }
                depth--;
                at++;
            } else if (depth == 0 && next == ',') {
                break;
            } else if (next < ' ' && next >= 0) {
                throw malformed();
            } else {
                at++;
            }
            if (depth == 0 && (at == text.length || text[at - 1] == '}' || text[at - 1] == ']')) {
                break;
            }
        }
        if (at == start) {
            throw malformed();
        }
    }

    private void string() {
        take('"');
        while (peek() != '"') {
            if (text[at] < ' ' && text[at] >= 0) {
                throw malformed();
            }
            at += text[at] == '\\' ? 2 : 1;
        }
        at++;
    }

    private void blanks() {
        while (at < text.length && (text[at] == ' ' || text[at] == '\t')) {
            at++;
        }
    }

    private void take(char wanted) {
        if (peek() != wanted) {
            throw malformed();
        }
        at++;
    }

    private byte peek() {
        if (at >= text.length) {
            throw malformed();
        }
        return text[at];
    }

    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException("not one JSON object in one line");
    }
}
