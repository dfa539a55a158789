package org.berth.cli.api;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * One event of a stream of the server. Source: HTML Living Standard, 9.2.6, interpreting an event stream.
 *
 * @param name its type
 * @param data its data; several lines are joined by a newline
 */
public record ServerEvent(String name, String data) {
    private static final String UNNAMED = "message";

    /** Collects the lines of a stream. */
    static final class Lines {
        private String name = UNNAMED;
        private StringBuilder data;

        /** The event that {@code line} completes. */
        Optional<ServerEvent> accept(String line) {
            if (line.isEmpty()) {
                return complete();
            }
            int colon = line.indexOf(':');
            String field = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(colon + 1);
            String plain = value.startsWith(" ") ? value.substring(1) : value;
            if (field.equals("event")) {
                name = plain;
            } else if (field.equals("data")) {
                data = data == null
                        ? new StringBuilder(plain)
                        : data.append('\n').append(plain);
            }
            return Optional.empty();
        }

        private Optional<ServerEvent> complete() {
            Optional<ServerEvent> event = data == null
                    ? Optional.empty()
                    : Optional.of(new ServerEvent(name.isEmpty() ? UNNAMED : name, data.toString()));
            name = UNNAMED;
            data = null;
            return event;
        }
    }

    /** The complete events of {@code lines}; one that the end cuts off is none. */
    static Stream<ServerEvent> of(Stream<String> lines) {
        Lines collected = new Lines();
        return lines.map(collected::accept).flatMap(Optional::stream);
    }
}
