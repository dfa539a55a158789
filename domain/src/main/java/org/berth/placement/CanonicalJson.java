package org.berth.placement;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * One text for one JSON value: keys sorted by code unit, no insignificant space, numbers in shortest form. A tree is
 * made of Map, Iterable, String, Boolean, Number and null. Source: placement.md, canonical digest.
 */
public final class CanonicalJson {
    private CanonicalJson() {}

    /** The canonical text of {@code tree}. @throws IllegalArgumentException when it holds another type */
    public static String write(Object tree) {
        StringBuilder out = new StringBuilder();
        append(out, tree);
        return out.toString();
    }

    /** sha256 of the canonical text's UTF-8 bytes, 64 lower-case hex digits. */
    public static String sha256(Object tree) {
        return sha256(write(tree).getBytes(StandardCharsets.UTF_8));
    }

    /** sha256 of {@code bytes}, 64 lower-case hex digits. */
    public static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void append(StringBuilder out, Object value) {
        switch (value) {
            case null -> out.append("null");
            case String text -> quote(out, text);
            case Boolean flag -> out.append(flag.booleanValue());
            case Number number -> out.append(shortest(number));
            case Map<?, ?> map -> {
                TreeMap<String, Object> sorted = new TreeMap<>();
                map.forEach((key, each) -> sorted.put(name(key), each));
                char before = '{';
                for (Map.Entry<String, Object> entry : sorted.entrySet()) {
                    out.append(before);
                    before = ',';
                    quote(out, entry.getKey());
                    out.append(':');
                    append(out, entry.getValue());
                }
                out.append(before == '{' ? "{}" : "}");
            }
            case Iterable<?> list -> {
                char before = '[';
                for (Object each : list) {
                    out.append(before);
                    before = ',';
                    append(out, each);
                }
                out.append(before == '[' ? "[]" : "]");
            }
            default -> throw new IllegalArgumentException("no JSON value: " + value.getClass());
        }
    }

    private static String name(Object key) {
        if (key instanceof String name) {
            return name;
        }
        throw new IllegalArgumentException("a name in an object is a string");
    }

    // Whole numbers up to 21 digits and small fractions are plain, others carry an exponent, as in ECMAScript's text of
    // a
    // number; no digit is ever rounded away.
    private static String shortest(Number number) {
        BigDecimal exact = new BigDecimal(number.toString());
        if (exact.signum() == 0) {
            return "0";
        }
        try {
            exact = exact.stripTrailingZeros();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("a number's exponent is out of range", e);
        }
        return exact.scale() <= 0 && exact.scale() >= -20 ? exact.toPlainString() : exact.toString();
    }

    private static void quote(StringBuilder out, String text) {
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
                    if (c < 0x20 || lone(text, i)) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    // A lone surrogate has no UTF-8 form: escaped, two different texts never share their bytes.
    private static boolean lone(String text, int at) {
        char c = text.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        }
        return Character.isLowSurrogate(c) && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
    }
}
