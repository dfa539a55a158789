package org.berth.process.egress;

import java.time.Instant;

/**
 * One connection that was not let out.
 *
 * @param host as asked for, at most 253 characters
 */
public record Refusal(Instant at, String host, int port, Reason reason) {
    /** Why; the wire name is in lower case. */
    public enum Reason {
        /** The pair of host and port is not listed. */
        NOT_LISTED,
        /** The name leads only to addresses that are not public and not listed themselves. */
        ADDRESS_NOT_PUBLIC
    }

    /** One JSON object, without a line's end. */
    public String toJson() {
        return "{\"at\":\"" + at + "\",\"host\":\"" + escaped(host) + "\",\"port\":" + port + ",\"reason\":\""
                + reason.name().toLowerCase(java.util.Locale.ROOT) + "\"}";
    }

    private static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\' || c < ' ' || c > '~') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
