package org.berth.driver;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the part of TOML 1.0 that Berth writes, and refuses everything else: tables, bare and quoted keys, basic strings,
 * booleans, whole numbers and arrays on one line. Source: toml.io, v1.0.0.
 */
final class TomlReader {
    private static final String BARE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

    private final String text;
    private int at;

    private TomlReader(String text) {
        this.text = text;
    }

    /** The tree of a document. @throws IllegalStateException where it is not one, with its position */
    static Map<String, Object> read(String text) {
        TomlReader reader = new TomlReader(text);
        Map<String, Object> root = new LinkedHashMap<>();
        Map<String, Object> table = root;
        while (reader.at < text.length()) {
            if (reader.take('\n')) {
                continue;
            }
            if (reader.take('[')) {
                table = reader.header(root);
            } else {
                String key = reader.key();
                reader.expect(" = ");
                if (table.put(key, reader.value()) != null) {
                    throw reader.wrong("a key twice");
                }
            }
            reader.expect("\n");
        }
        return root;
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> header(Map<String, Object> root) {
        Map<String, Object> table = root;
        do {
            table = (Map<String, Object>) table.computeIfAbsent(key(), name -> new LinkedHashMap<String, Object>());
        } while (take('.'));
        expect("]");
        return table;
    }

    private String key() {
        if (peek() == '"') {
            return string();
        }
        int start = at;
        while (at < text.length() && BARE.indexOf(peek()) >= 0) {
            at++;
        }
        if (start == at) {
            throw wrong("no key");
        }
        return text.substring(start, at);
    }

    private Object value() {
        if (peek() == '"') {
            return string();
        }
        if (take('[')) {
            List<Object> list = new ArrayList<>();
            while (!take(']')) {
                if (!list.isEmpty()) {
                    expect(", ");
                }
                list.add(value());
            }
            return list;
        }
        int start = at;
        while (at < text.length() && peek() != '\n' && peek() != ',' && peek() != ']') {
            at++;
        }
        String word = text.substring(start, at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            default -> Integer.valueOf(word);
        };
    }

    private String string() {
        expect("\"");
        StringBuilder out = new StringBuilder();
        while (!take('"')) {
            char c = text.charAt(at++);
            if (c < 0x20 && c != '\t' || c == 0x7f) {
                throw wrong("a control character in a text");
            }
            out.append(c == '\\' ? escaped() : c);
        }
        return out.toString();
    }

    private char escaped() {
        char c = text.charAt(at++);
        return switch (c) {
            case '"', '\\' -> c;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> throw wrong("an escape");
        };
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("the end");
        }
        return text.charAt(at);
    }

    private boolean take(char wanted) {
        if (peek() != wanted) {
            return false;
        }
        at++;
        return true;
    }

    private void expect(String wanted) {
        if (!text.startsWith(wanted, at)) {
            throw wrong("not " + wanted);
        }
        at += wanted.length();
    }

    private IllegalStateException wrong(String what) {
        return new IllegalStateException(what + " at " + at + " of " + text);
    }
}
