package org.berth.guest.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * JSON as plain values: Map (keys in order), List, String, Long, {@link Decimal}, Boolean, null. Reading is strict:
 * well-formed UTF-8, no key twice, bounded depth, nothing after the value. Source: RFC 8259.
 */
public final class Json {
    /** Bound of nested objects and arrays: {@value}. */
    public static final int MAX_DEPTH = 64;

    /** A number that is no long, by its text. */
    public record Decimal(String text) {}

    private Json() {}

    /** @throws IllegalArgumentException for what is not one JSON value */
    public static Object read(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return new JsonReader(text).whole();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("not UTF-8", e);
        }
    }

    /** @throws IllegalArgumentException for what is not one JSON object */
    public static Map<String, Object> readObject(byte[] bytes) {
        return object(read(bytes));
    }

    /** {@code value} as an object. @throws IllegalArgumentException when it is none */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(Object value) {
        if (value instanceof Map<?, ?> map) {
            return (Map<String, Object>) map;
        }
        throw new IllegalArgumentException("not an object");
    }

    /** {@code value} as an array. @throws IllegalArgumentException when it is none */
    @SuppressWarnings("unchecked")
    public static List<Object> array(Object value) {
        if (value instanceof List<?> list) {
            return (List<Object>) list;
        }
        throw new IllegalArgumentException("not an array");
    }

    /** {@code value} as text. @throws IllegalArgumentException when it is none */
    public static String text(Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("not text");
    }

    /** One line of ASCII, keys in their order. */
    public static byte[] write(Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value, false);
        return out.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** The same with all keys sorted: equal values have equal bytes. */
    public static byte[] writeSorted(Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value, true);
        return out.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static void write(StringBuilder out, Object value, boolean sorted) {
        if (value instanceof Map<?, ?>) {
            Map<String, Object> map = sorted ? new TreeMap<>(object(value)) : object(value);
            char separator = '{';
            for (Map.Entry<String, Object> each : map.entrySet()) {
                out.append(separator);
                write(out, each.getKey());
                out.append(':');
                write(out, each.getValue(), sorted);
                separator = ',';
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            char separator = '[';
            for (Object each : list) {
                out.append(separator);
                write(out, each, sorted);
                separator = ',';
            }
            out.append(list.isEmpty() ? "[]" : "]");
        } else if (value instanceof String text) {
            write(out, text);
        } else if (value instanceof Decimal decimal) {
            out.append(decimal.text());
        } else {
            out.append(value);
        }
    }

    private static void write(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                default -> {
                    if (c < ' ' || c > '~') {
                        out.append("\\u");
                        for (int shift = 12; shift >= 0; shift -= 4) {
                            out.append(Character.forDigit(c >> shift & 0xf, 16));
                        }
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
