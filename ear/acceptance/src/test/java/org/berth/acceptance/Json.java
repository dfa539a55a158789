package org.berth.acceptance;

import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.placement.CanonicalJson;

/** JSON as trees of Map, List, String, Boolean, Long, BigDecimal and null. */
public final class Json {
    private Json() {}

    public static String write(Object tree) {
        return CanonicalJson.write(tree);
    }

    /** @throws jakarta.json.JsonException when {@code text} is no JSON value */
    public static Object read(String text) {
        try (var reader = jakarta.json.Json.createReader(new StringReader(text))) {
            return tree(reader.readValue());
        }
    }

    /** @throws jakarta.json.JsonException when {@code text} is no JSON value */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(String text) {
        return (Map<String, Object>) read(text);
    }

    /** The value at {@code path}, whose parts are names in objects; null where a part is absent. */
    public static Object at(Object tree, String... path) {
        Object value = tree;
        for (String name : path) {
            value = value instanceof Map<?, ?> object ? object.get(name) : null;
        }
        return value;
    }

    /** The objects in the array {@code name}. */
    @SuppressWarnings("unchecked")
    public static List<Map<String, Object>> objects(Map<String, Object> tree, String name) {
        return (List<Map<String, Object>>) tree.get(name);
    }

    private static Object tree(JsonValue value) {
        return switch (value) {
            case JsonObject object -> {
                Map<String, Object> map = new LinkedHashMap<>();
                object.forEach((name, each) -> map.put(name, tree(each)));
                yield map;
            }
            case JsonArray array -> {
                List<Object> list = new ArrayList<>();
                array.forEach(each -> list.add(tree(each)));
                yield list;
            }
            case JsonString text -> text.getString();
            case JsonNumber number -> number.isIntegral() ? (Object) number.longValueExact() : number.bigDecimalValue();
            default ->
                switch (value.getValueType()) {
                    case TRUE -> true;
                    case FALSE -> false;
                    default -> null;
                };
        };
    }
}
