package org.berth.json;

import jakarta.json.Json;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParserFactory;
import jakarta.json.stream.JsonParsingException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.berth.problem.BerthException;

/**
 * Reads one JSON object as a tree of Map, List, String, Boolean, Long, BigDecimal and null. Refuses what lenient
 * readers let pass: bytes that are not UTF-8, a byte order mark, a duplicate key, lone surrogates, text after the end,
 * nesting over {@link #MAX_DEPTH}, numbers over {@link #MAX_DIGITS} characters. Source: api.md, Errors; RFC 8259.
 */
public final class StrictJson {
    public static final int MAX_DEPTH = 32;
    public static final int MAX_DIGITS = 40;

    private static final JsonParserFactory PARSERS = Json.createParserFactory(Map.of());

    private StrictJson() {}

    /** @throws BerthException INVALID, with the reason */
    public static Map<String, Object> object(byte[] bytes) {
        try {
            return object(StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            throw BerthException.invalid("the body is not UTF-8");
        }
    }

    /** @throws BerthException INVALID, with the reason */
    public static Map<String, Object> object(String text) {
        if (text.isBlank()) {
            throw BerthException.invalid("the body is empty; a JSON object is needed");
        }
        try (JsonParser parser = PARSERS.createParser(new StringReader(text))) {
            if (parser.next() != JsonParser.Event.START_OBJECT) {
                throw BerthException.invalid("the body is no JSON object");
            }
            Map<String, Object> object = readObject(parser, 1);
            if (parser.hasNext()) {
                throw BerthException.invalid("the body goes on after its JSON object");
            }
            return object;
        } catch (JsonParsingException | NoSuchElementException | NumberFormatException e) {
            throw BerthException.invalid("the body is not well-formed JSON" + place(e));
        } catch (IllegalStateException | jakarta.json.JsonException e) {
            throw BerthException.invalid("the body is not well-formed JSON");
        }
    }

    private static String place(RuntimeException e) {
        return e instanceof JsonParsingException parsing && parsing.getLocation() != null
                ? " (line " + parsing.getLocation().getLineNumber() + ", column "
                        + parsing.getLocation().getColumnNumber() + ")"
                : "";
    }

    private static Map<String, Object> readObject(JsonParser parser, int depth) {
        requireDepth(depth);
        Map<String, Object> object = new LinkedHashMap<>();
        while (true) {
            JsonParser.Event event = parser.next();
            if (event == JsonParser.Event.END_OBJECT) {
                return object;
            }
            String key = requireScalars(parser.getString());
            if (object.containsKey(key)) {
                throw BerthException.invalid("the key \"" + shortened(key) + "\" stands twice in one object");
            }
            object.put(key, readValue(parser, parser.next(), depth));
        }
    }

    private static List<Object> readArray(JsonParser parser, int depth) {
        requireDepth(depth);
        List<Object> array = new ArrayList<>();
        while (true) {
            JsonParser.Event event = parser.next();
            if (event == JsonParser.Event.END_ARRAY) {
                return array;
            }
            array.add(readValue(parser, event, depth));
        }
    }

    private static Object readValue(JsonParser parser, JsonParser.Event event, int depth) {
        return switch (event) {
            case START_OBJECT -> readObject(parser, depth + 1);
            case START_ARRAY -> readArray(parser, depth + 1);
            case VALUE_STRING -> requireScalars(parser.getString());
            case VALUE_NUMBER -> number(parser.getString());
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case VALUE_NULL -> null;
            case KEY_NAME, END_OBJECT, END_ARRAY -> throw BerthException.invalid("the body is not well-formed JSON");
        };
    }

    private static Object number(String text) {
        if (text.length() > MAX_DIGITS) {
            throw BerthException.invalid("a number has more than " + MAX_DIGITS + " characters");
        }
        BigDecimal exact = new BigDecimal(text);
        if (Math.abs((long) exact.scale()) > MAX_DIGITS) {
            throw BerthException.invalid("a number's exponent is out of range");
        }
        try {
            return exact.longValueExact();
        } catch (ArithmeticException e) {
            // It has a fraction, or is over 64 bits: the field's rule decides.
            return exact;
        }
    }

    private static String requireScalars(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                i++;
            } else if (Character.isSurrogate(c)) {
                throw BerthException.invalid("a string holds half a surrogate pair");
            }
        }
        return text;
    }

    private static void requireDepth(int depth) {
        if (depth > MAX_DEPTH) {
            throw BerthException.invalid("the body is nested deeper than " + MAX_DEPTH);
        }
    }

    private static String shortened(String key) {
        return key.length() > 80 ? key.substring(0, 80) + "…" : key;
    }
}
