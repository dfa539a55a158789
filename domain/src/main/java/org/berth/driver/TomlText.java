package org.berth.driver;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.berth.problem.BerthException;

/**
 * Writes a tree of Map, List, String, Boolean and Integer as TOML 1.0: values first, then the tables, both in the map's
 * own order. Source: toml.io, v1.0.0.
 */
public final class TomlText {
    private static final Pattern BARE = Pattern.compile("[A-Za-z0-9_-]+");

    private TomlText() {}

    /** A whole document. @throws BerthException INVALID when a text holds half of a surrogate pair */
    public static String document(Map<String, ?> root) {
        StringBuilder out = new StringBuilder(512);
        table(out, "", root);
        return out.toString();
    }

    /** One value on one line. @throws BerthException INVALID when a text holds half of a surrogate pair */
    public static String value(Object value) {
        return switch (value) {
            case String text -> quoted(text);
            case Boolean flag -> flag.toString();
            case Integer number -> number.toString();
            case List<?> list -> list.stream().map(TomlText::value).collect(Collectors.joining(", ", "[", "]"));
            default -> throw new IllegalArgumentException("no TOML value: " + value.getClass());
        };
    }

    private static void table(StringBuilder out, String path, Map<?, ?> table) {
        table.forEach((name, value) -> {
            if (!(value instanceof Map)) {
                out.append(key(name)).append(" = ").append(value(value)).append('\n');
            }
        });
        table.forEach((name, value) -> {
            if (value instanceof Map<?, ?> inner) {
                String whole = path.isEmpty() ? key(name) : path + "." + key(name);
                if (inner.isEmpty() || inner.values().stream().anyMatch(each -> !(each instanceof Map))) {
                    out.append("\n[").append(whole).append("]\n");
                }
                table(out, whole, inner);
            }
        });
    }

    private static String key(Object name) {
        String text = (String) name;
        return BARE.matcher(text).matches() ? text : quoted(text);
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(point -> {
            switch (point) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                default -> append(out, point);
            }
        });
        return out.append('"').toString();
    }

    private static void append(StringBuilder out, int point) {
        if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
            throw BerthException.invalid("a text of the policy holds half of a surrogate pair, which no file can hold");
        }
        if (point < 0x20 || point == 0x7f) {
            out.append(String.format("\\u%04X", point));
        } else {
            out.appendCodePoint(point);
        }
    }
}
