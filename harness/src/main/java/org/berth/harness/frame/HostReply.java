package org.berth.harness.frame;

import jakarta.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The replies to a host request, as one line of ASCII with its newline: what is not ASCII is escaped, so that an id with a
 * lone surrogate comes back as it came. Source: harness.md, S3, "Replies".
 */
public final class HostReply {
    private HostReply() {}

    /** The handler's result; {@code result} may be {@link JsonValue#NULL}. */
    public static byte[] ok(String id, JsonValue result) {
        return line(id, "ok", "result", result.toString());
    }

    /** The handler's or the gate's error. */
    public static byte[] error(String id, String error) {
        return line(id, "error", "error", quoted(error));
    }

    /** The answer to a used id, which settles nothing in the kernel. */
    public static byte[] duplicate(String id) {
        return line(id, "duplicate", "error", "\"the id of this request is already used\"");
    }

    private static byte[] line(String id, String status, String field, String json) {
        StringBuilder line = new StringBuilder(80 + json.length());
        line.append("{\"type\":\"host_reply\",\"id\":").append(quoted(id));
        line.append(",\"data\":{\"status\":\"").append(status).append("\",\"").append(field);
        line.append("\":").append(json).append("}}\n");
        return ascii(line).getBytes(StandardCharsets.US_ASCII);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(Objects.requireNonNull(text).length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit == '"' || unit == '\\') {
                quoted.append('\\').append(unit);
            } else if (unit < 0x20) {
                escape(quoted, unit);
            } else {
                quoted.append(unit);
            }
        }
        return quoted.append('"').toString();
    }

    /** In JSON text a character above ASCII stands only inside strings, where its escape means the same. */
    private static String ascii(StringBuilder text) {
        StringBuilder ascii = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit < 0x80) {
                ascii.append(unit);
            } else {
                escape(ascii, unit);
            }
        }
        return ascii.toString();
    }

    private static void escape(StringBuilder to, char unit) {
        to.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            to.append(Character.forDigit(unit >> shift & 0xf, 16));
        }
    }
}
