package org.berth.environment.service;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParserFactory;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import org.berth.environment.ArtifactContract;

/** Reads the members of an artifact: scalars as they are, everything else as an object of its own kind. */
final class ArtifactJson {
    /** Stands for null, a list or an object: a value that no contract selects. */
    private static final Object OTHER = new Object();

    private static final JsonParserFactory PARSERS = Json.createParserFactory(Map.of());

    private ArtifactJson() {}

    /** The members of the whole text's object; of two with one name, the last. @throws BerthException artifact_schema_mismatch */
    static Map<String, Object> members(byte[] bytes) {
        Map<String, Object> members = new LinkedHashMap<>();
        try (JsonParser parser = PARSERS.createParser(new StringReader(new String(bytes, StandardCharsets.UTF_8)))) {
            if (parser.next() != JsonParser.Event.START_OBJECT) {
                throw ArtifactContract.noObject();
            }
            JsonParser.Event event = parser.next();
            while (event != JsonParser.Event.END_OBJECT) {
                String name = parser.getString();
                members.put(name, value(parser, parser.next()));
                event = parser.next();
            }
            if (parser.hasNext()) {
                throw ArtifactContract.noObject();
            }
            return members;
        } catch (JsonException | NoSuchElementException | IllegalStateException | NumberFormatException e) {
            throw ArtifactContract.noObject();
        }
    }

    private static Object value(JsonParser parser, JsonParser.Event event) {
        return switch (event) {
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER -> new BigDecimal(parser.getString());
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case START_OBJECT -> {
                parser.skipObject();
                yield OTHER;
            }
            case START_ARRAY -> {
                parser.skipArray();
                yield OTHER;
            }
            case VALUE_NULL, KEY_NAME, END_ARRAY, END_OBJECT -> OTHER;
        };
    }
}
