package org.berth.guest.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads one text. */
final class JsonReader {
    private static final int LONG_DIGITS = 18;

    private final String text;
    private int at;
    private int depth;

    JsonReader(String text) {
        this.text = text;
    }

    Object whole() {
        Object value = value();
        blanks();
        if (at < text.length()) {
            throw wrong();
        }
        return value;
    }

    private Object value() {
        blanks();
        char c = peek();
        if (c == '{') {
            return object();
        }
        if (c == '[') {
            return array();
        }
        if (c == '"') {
            return string();
        }
        if (c == '-' || c >= '0' && c <= '9') {
            return number();
        }
        if (word("true")) {
            return Boolean.TRUE;
        }
        if (word("false")) {
            return Boolean.FALSE;
        }
        if (word("null")) {
            return null;
        }
        throw wrong();
    }

    private Map<String, Object> object() {
        enter();
        Map<String, Object> map = new LinkedHashMap<>();
        blanks();
        if (peek() != '}') {
            do {
                blanks();
                if (peek() != '"') {
                    throw wrong();
                }
                String key = string();
                blanks();
                expect(':');
                if (map.containsKey(key)) {
                    throw new IllegalArgumentException("a key comes twice");
                }
                map.put(key, value());
            } while (another());
        }
        leave('}');
        return map;
    }

    private List<Object> array() {
        enter();
        List<Object> list = new ArrayList<>();
        blanks();
        if (peek() != ']') {
            do {
                list.add(value());
            } while (another());
        }
        leave(']');
        return list;
    }

    private void enter() {
        at++;
        if (++depth > Json.MAX_DEPTH) {
            throw new IllegalArgumentException("nested too deeply");
        }
    }

    private void leave(char end) {
        blanks();
        expect(end);
        depth--;
    }

    private boolean another() {
        blanks();
        if (peek() != ',') {
            return false;
        }
        at++;
        return true;
    }

    private String string() {
        at++;
        StringBuilder out = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return out.toString();
            }
            if (c < ' ') {
                throw wrong();
            }
            out.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                int code = 0;
                for (int i = 0; i < 4; i++) {
                    char digit = next();
                    if (digit > 'f' || Character.digit(digit, 16) < 0) {
                        throw wrong();
                    }
                    code = code << 4 | Character.digit(digit, 16);
                }
                yield (char) code;
            }
            default -> throw wrong();
        };
    }

    private Object number() {
        int start = at;
        if (peek() == '-') {
            at++;
        }
        int first = at;
        digits();
        if (at - first > 1 && text.charAt(first) == '0') {
            throw wrong();
        }
        boolean whole = at - first <= LONG_DIGITS;
        if (at < text.length() && peek() == '.') {
            whole = false;
            at++;
            digits();
        }
        if (at < text.length() && (peek() == 'e' || peek() == 'E')) {
            whole = false;
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits();
        }
        String number = text.substring(start, at);
        if (whole) {
            return Long.valueOf(number);
        }
        return new Json.Decimal(number);
    }

    private void digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw wrong();
        }
    }

    private boolean word(String word) {
        if (text.startsWith(word, at)) {
            at += word.length();
            return true;
        }
        return false;
    }

    private void blanks() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
                return;
            }
            at++;
        }
    }

    private void expect(char c) {
        if (next() != c) {
            throw wrong();
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong();
        }
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("not JSON at character " + at);
    }
}
