package org.berth.cli.api;

import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonException;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import jakarta.json.spi.JsonProvider;
import java.io.StringReader;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reading and building JSON with one provider, looked up once. */
public final class Json {
    private static final JsonProvider PROVIDER = JsonProvider.provider();

    private Json() {}

    public static JsonObjectBuilder object() {
        return PROVIDER.createObjectBuilder();
    }

    /** Begins with the members of {@code from}. */
    public static JsonObjectBuilder object(JsonObject from) {
        return PROVIDER.createObjectBuilder(from);
    }

    /** Adds the member, unless {@code value} is null. */
    public static void add(JsonObjectBuilder object, String name, String value) {
        if (value != null) {
            object.add(name, value);
        }
    }

    public static JsonArrayBuilder array() {
        return PROVIDER.createArrayBuilder();
    }

    public static JsonArray array(Iterable<String> texts) {
        JsonArrayBuilder array = array();
        texts.forEach(array::add);
        return array.build();
    }

    /** The object that {@code text} is; empty when it is something else. */
    public static Optional<JsonObject> parse(String text) {
        try (JsonReader reader = PROVIDER.createReader(new StringReader(text))) {
            return reader.readValue() instanceof JsonObject object ? Optional.of(object) : Optional.empty();
        } catch (JsonException e) {
            return Optional.empty();
        }
    }

    /** The member as plain text, numbers and booleans too; null when it is absent or null. */
    public static String text(JsonObject object, String name) {
        return plain(object.get(name));
    }

    /** A value as a person reads it: text without quotes, null as null, anything nested as JSON. */
    public static String plain(JsonValue value) {
        return switch (value) {
            case null -> null;
            case JsonString text -> text.getString();
            default -> value.getValueType() == JsonValue.ValueType.NULL ? null : value.toString();
        };
    }

    public static OptionalLong number(JsonObject object, String name) {
        return object.get(name) instanceof JsonNumber number
                ? OptionalLong.of(number.longValue())
                : OptionalLong.empty();
    }

    /** The member when it is an object, else an empty one. */
    public static JsonObject object(JsonObject object, String name) {
        return object.get(name) instanceof JsonObject member ? member : JsonValue.EMPTY_JSON_OBJECT;
    }

    /** The members of a list as plain text; none when it is no list. */
    public static List<String> texts(JsonObject object, String name) {
        return object.get(name) instanceof JsonArray list
                ? list.stream().map(Json::plain).toList()
                : List.of();
    }

    /** The objects of the member when it is a list, else none. */
    public static List<JsonObject> objects(JsonObject object, String name) {
        return object.get(name) instanceof JsonArray list
                ? list.stream()
                        .filter(JsonObject.class::isInstance)
                        .map(JsonObject.class::cast)
                        .toList()
                : List.of();
    }
}
