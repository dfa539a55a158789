package org.berth.harness.service;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.placement.CanonicalJson;

/** Between the JSON values of kernels and the trees of services. */
final class JsonTrees {
    /** Digits before or after the point that a number keeps as a number. Source: what is readable; an own choice. */
    private static final int MOST_EXPONENT = 400;

    private JsonTrees() {}

    /** Map, List, String, Boolean, Long, BigDecimal or null; a number of absurd size becomes its text. */
    static Object tree(JsonValue value) {
        return switch (value) {
            case JsonObject object -> {
                Map<String, Object> tree = new LinkedHashMap<>();
                object.forEach((name, each) -> tree.put(name, tree(each)));
                yield tree;
            }
            case JsonArray array -> {
                List<Object> tree = new ArrayList<>();
                array.forEach(each -> tree.add(tree(each)));
                yield tree;
            }
            case JsonString string -> string.getString();
            case JsonNumber number -> number(number.bigDecimalValue());
            default ->
                switch (value.getValueType()) {
                    case TRUE -> true;
                    case FALSE -> false;
                    default -> null;
                };
        };
    }

    private static Object number(BigDecimal number) {
        if (Math.abs(number.scale()) > MOST_EXPONENT) {
            return number.toString();
        }
        try {
            return number.longValueExact();
        } catch (ArithmeticException e) {
            return number;
        }
    }

    /** The same as a JSON object. */
    static JsonObject object(Map<String, Object> tree) {
        try (JsonReader reader = Json.createReader(new StringReader(CanonicalJson.write(tree)))) {
            return reader.readObject();
        }
    }
}
