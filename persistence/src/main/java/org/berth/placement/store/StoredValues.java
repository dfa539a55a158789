package org.berth.placement.store;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonException;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonReaderFactory;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.placement.Wire;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** How times, enumerated values and JSON stand in columns. */
public final class StoredValues {
    private static final JsonReaderFactory READERS = Json.createReaderFactory(Map.of());

    private StoredValues() {}

    /** Cut to what both databases keep, so that a record equals itself after a round trip; null stays null. */
    public static Instant micros(Instant instant) {
        return instant == null ? null : instant.truncatedTo(ChronoUnit.MICROS);
    }

    public static String name(Enum<?> constant) {
        return constant == null ? null : Wire.name(constant);
    }

    /** @throws BerthException STORAGE when the column holds a name that this release does not know */
    public static <E extends Enum<E>> E constant(Class<E> type, String name) {
        if (name == null) {
            return null;
        }
        return Wire.parse(type, name)
                .orElseThrow(() -> malformed("a stored " + type.getSimpleName() + " is unknown", null));
    }

    public static List<?> list(String json) {
        return read(json) instanceof List<?> list ? list : notOf("list");
    }

    public static Map<String, Object> map(String json) {
        if (!(read(json) instanceof Map<?, ?> map)) {
            return notOf("object");
        }
        Map<String, Object> result = new LinkedHashMap<>();
        map.forEach((key, value) -> result.put((String) key, value));
        return result;
    }

    private static Object read(String json) {
        try (JsonReader reader = READERS.createReader(new StringReader(json))) {
            return plain(reader.readValue());
        } catch (JsonException e) {
            throw malformed("a stored JSON text is malformed", e);
        }
    }

    private static Object plain(JsonValue value) {
        return switch (value.getValueType()) {
            case NULL -> null;
            case TRUE -> true;
            case FALSE -> false;
            case STRING -> ((JsonString) value).getString();
            case NUMBER -> number(((JsonNumber) value).bigDecimalValue());
            case ARRAY -> {
                List<Object> list = new ArrayList<>();
                for (JsonValue each : (JsonArray) value) {
                    list.add(plain(each));
                }
                yield list;
            }
            case OBJECT -> {
                Map<String, Object> map = new LinkedHashMap<>();
                ((JsonObject) value).forEach((key, each) -> map.put(key, plain(each)));
                yield map;
            }
        };
    }

    private static Number number(BigDecimal exact) {
        try {
            return exact.longValueExact();
        } catch (ArithmeticException _) {
            return exact;
        }
    }

    private static <T> T notOf(String shape) {
        throw malformed("a stored JSON text is no " + shape, null);
    }

    private static BerthException malformed(String sentence, Throwable cause) {
        return new BerthException(ProblemCode.STORAGE, sentence, cause);
    }
}
