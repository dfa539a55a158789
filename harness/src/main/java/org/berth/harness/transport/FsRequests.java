package org.berth.harness.transport;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * File requests of a sandbox in the host's paths, and their replies in the sandbox's. Handlers see host paths only; in
 * replies they name host paths only under {@code absolute} and {@code destination}.
 *
 * @param map the shared directories
 * @param sandboxDirectory the kernel's working directory at its start, for requests that name none
 */
public record FsRequests(PathMap map, String sandboxDirectory) {
    /** The requests that carry paths. Source: harness.md, "Kernel and transport". */
    public static final Set<String> TYPES = Set.of("fs.read", "fs.write", "fs.edit", "fs.grep", "fs.glob");

    private static final Set<String> PATHS = Set.of("path", "destination");
    private static final Set<String> NESTED = Set.of("edits", "sections");
    private static final Set<String> REPLY_PATHS = Set.of("absolute", "destination");

    /** What became of a request. */
    public sealed interface Outcome {
        /** @param data the request with host paths, {@code cwd} always among them */
        record Mapped(JsonObject data) implements Outcome {}

        /** No handler may run. */
        record Refused(FsError error) implements Outcome {}
    }

    private static final class RefusedPath extends Exception {
        private final transient FsError error;

        RefusedPath(FsError error) {
            super(error.message(), null, false, false);
            this.error = error;
        }
    }

    /** Maps the working directory and every path of a request whose {@code type} is one of {@link #TYPES}. */
    public Outcome toHost(JsonObject data) {
        try {
            String directory = data.containsKey("cwd") ? text(data.get("cwd"), "cwd") : sandboxDirectory;
            JsonObject given = data.getString("type", "").equals("fs.glob") ? withPlainPattern(data) : data;
            return new Outcome.Mapped(Json.createObjectBuilder(mapObject(given, directory, NESTED))
                    .add("cwd", host(directory, sandboxDirectory))
                    .build());
        } catch (RefusedPath refused) {
            return new Outcome.Refused(refused.error);
        }
    }

    private JsonObject mapObject(JsonObject object, String directory, Set<String> nested) throws RefusedPath {
        JsonObjectBuilder mapped = Json.createObjectBuilder();
        for (Map.Entry<String, JsonValue> field : object.entrySet()) {
            JsonValue value = field.getValue();
            if (PATHS.contains(field.getKey())) {
                mapped.add(field.getKey(), host(text(value, field.getKey()), directory));
            } else if (field.getKey().equals("paths")) {
                mapped.add(field.getKey(), mapAll(array(value, "paths"), directory));
            } else if (nested.contains(field.getKey()) && value instanceof JsonArray items) {
                JsonArrayBuilder entries = Json.createArrayBuilder();
                for (JsonValue item : items) {
                    entries.add(item instanceof JsonObject entry ? mapObject(entry, directory, Set.of()) : item);
                }
                mapped.add(field.getKey(), entries);
            } else {
                mapped.add(field.getKey(), value);
            }
        }
        return mapped.build();
    }

    private JsonArrayBuilder mapAll(JsonArray paths, String directory) throws RefusedPath {
        JsonArrayBuilder mapped = Json.createArrayBuilder();
        for (JsonValue path : paths) {
            mapped.add(host(text(path, "paths"), directory));
        }
        return mapped;
    }

    private String host(String path, String directory) throws RefusedPath {
        return switch (map.toHost(path, directory)) {
            case Located.Inside inside -> inside.host().toString();
            case Located.Outside outside -> throw outside(outside.path(), outside.why());
        };
    }

    /** An absolute pattern becomes one that is relative to its first directories; no pattern may climb. */
    private static JsonObject withPlainPattern(JsonObject data) throws RefusedPath {
        String pattern = text(data.get("pattern"), "pattern");
        if (pattern.startsWith("~")) {
            throw outside(pattern, "it is relative to the sandbox's home");
        }
        List<String> names = SandboxPath.names(pattern);
        int fixed = 0;
        if (pattern.startsWith("/")) {
            while (fixed < names.size() - 1 && names.get(fixed).chars().noneMatch(c -> "*?[{\\".indexOf(c) >= 0)) {
                fixed++;
            }
        }
        if (names.subList(fixed, names.size()).contains("..") || pattern.contains("{") && pattern.contains("..")) {
            throw outside(pattern, "a pattern cannot climb");
        }
        if (!pattern.startsWith("/")) {
            return data;
        }
        return Json.createObjectBuilder(data)
                .add("path", "/" + String.join("/", new ArrayList<>(names.subList(0, fixed))))
                .add("pattern", String.join("/", names.subList(fixed, names.size())))
                .build();
    }

    /** The result with sandbox paths; a host path that the sandbox cannot name becomes null. */
    public JsonValue toSandbox(JsonValue result) {
        return switch (result) {
            case JsonObject object -> {
                JsonObjectBuilder mapped = Json.createObjectBuilder();
                object.forEach((key, value) -> mapped.add(
                        key,
                        REPLY_PATHS.contains(key) && value instanceof JsonString path
                                ? named(path)
                                : toSandbox(value)));
                yield mapped.build();
            }
            case JsonArray array -> {
                JsonArrayBuilder mapped = Json.createArrayBuilder();
                array.forEach(value -> mapped.add(toSandbox(value)));
                yield mapped.build();
            }
            default -> result;
        };
    }

    private JsonValue named(JsonString path) {
        return map.toSandbox(Path.of(path.getString()))
                .<JsonValue>map(Json::createValue)
                .orElse(JsonValue.NULL);
    }

    private static String text(JsonValue value, String field) throws RefusedPath {
        if (value instanceof JsonString string) {
            return string.getString();
        }
        throw new RefusedPath(new FsError("invalid", field + " must be a string"));
    }

    private static JsonArray array(JsonValue value, String field) throws RefusedPath {
        if (value instanceof JsonArray array) {
            return array;
        }
        throw new RefusedPath(new FsError("invalid", field + " must be a list"));
    }

    private static RefusedPath outside(String path, String why) {
        return new RefusedPath(new FsError(FsError.OUTSIDE, path + " is outside every shared directory: " + why));
    }
}
