package org.berth.environment.service;

import jakarta.json.Json;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParserFactory;
import java.io.StringReader;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.berth.environment.HistoryLine;

/**
 * Reads the identity out of one record of an agent's history. The agent's own writer is taken at its word: half a
 * surrogate pair, a repeated member or a long number, which Berth's bodies may not hold, are no fault here.
 */
final class HistoryJson {
    private static final JsonParserFactory PARSERS = Json.createParserFactory(Map.of());

    private HistoryJson() {}

    /** Empty for what is no JSON object. */
    static Optional<HistoryLine> line(String text) {
        try (JsonParser parser = PARSERS.createParser(new StringReader(text))) {
            if (parser.next() != JsonParser.Event.START_OBJECT) {
                return Optional.empty();
            }
            HistoryLine line = members(parser);
            return parser.hasNext() ? Optional.empty() : Optional.of(line);
        } catch (jakarta.json.JsonException | NoSuchElementException | IllegalStateException e) {
            return Optional.empty();
        }
    }

    private static HistoryLine members(JsonParser parser) {
        boolean names = false;
        String sessionId = null;
        String type = null;
        while (parser.next() == JsonParser.Event.KEY_NAME) {
            String name = parser.getString();
            String value = value(parser);
            if (name.equals("sessionId")) {
                names = true;
                sessionId = value;
            } else if (name.equals("type")) {
                type = value;
            }
        }
        return new HistoryLine(names, sessionId, type);
    }

    /** Passes one value. @return it when it is a string, else null */
    private static String value(JsonParser parser) {
        JsonParser.Event event = parser.next();
        if (event == JsonParser.Event.VALUE_STRING) {
            return parser.getString();
        }
        int depth = opens(event) ? 1 : 0;
        while (depth > 0) {
            JsonParser.Event next = parser.next();
            if (opens(next)) {
                depth++;
            } else if (next == JsonParser.Event.END_OBJECT || next == JsonParser.Event.END_ARRAY) {
                depth--;
            }
        }
        return null;
    }

    private static boolean opens(JsonParser.Event event) {
        return event == JsonParser.Event.START_OBJECT || event == JsonParser.Event.START_ARRAY;
    }
}
