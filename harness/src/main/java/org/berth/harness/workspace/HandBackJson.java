package org.berth.harness.workspace;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.berth.files.PrivateFiles;

/** A hand-back's record and its plan as files. A name that is not UTF-8 is written with the escapes of its surrogates. */
final class HandBackJson {
    private static final int VERSION = 1;

    private HandBackJson() {}

    static void write(Path file, HandBack handBack, Path conflictsRoot) throws IOException {
        JsonArrayBuilder conflicts = Json.createArrayBuilder();
        for (HandBack.Conflict conflict : handBack.conflicts()) {
            JsonObjectBuilder one = Json.createObjectBuilder()
                    .add("path", conflict.path())
                    .add("reason", conflict.reason().name().toLowerCase(Locale.ROOT));
            if (conflict.childVersion().isPresent()) {
                one.add("childVersion", conflictsRoot.getFileName() + "/" + conflict.path());
            }
            conflicts.add(one);
        }
        put(
                file,
                plan(handBack.taken(), handBack.removed())
                        .add("conflicts", conflicts)
                        .add("same", handBack.same())
                        .add("unchanged", handBack.unchanged()));
    }

    static HandBack read(Path file, Path conflictsRoot) throws IOException {
        JsonObject object = get(file);
        List<HandBack.Conflict> conflicts = object.getJsonArray("conflicts").getValuesAs(JsonObject.class).stream()
                .map(one -> new HandBack.Conflict(
                        one.getString("path"),
                        HandBack.Reason.valueOf(one.getString("reason").toUpperCase(Locale.ROOT)),
                        Optional.ofNullable(one.getString("childVersion", null))
                                .map(relative -> conflictsRoot + "/" + one.getString("path"))))
                .toList();
        return new HandBack(
                strings(object, "taken"),
                strings(object, "removed"),
                conflicts,
                object.getJsonNumber("same").longValue(),
                object.getJsonNumber("unchanged").longValue());
    }

    static void writePlan(Path file, List<String> taken, List<String> removed) throws IOException {
        put(file, plan(taken, removed));
    }

    /** Taken and removed paths of a plan, with no conflicts; nothing when there is no plan. */
    static HandBack readPlan(Path file) throws IOException {
        if (!Files.exists(file)) {
            return new HandBack(List.of(), List.of(), List.of(), 0, 0);
        }
        JsonObject object = get(file);
        return new HandBack(strings(object, "taken"), strings(object, "removed"), List.of(), 0, 0);
    }

    private static JsonObjectBuilder plan(List<String> taken, List<String> removed) {
        return Json.createObjectBuilder()
                .add("version", VERSION)
                .add("taken", Json.createArrayBuilder(taken))
                .add("removed", Json.createArrayBuilder(removed));
    }

    private static void put(Path file, JsonObjectBuilder object) throws IOException {
        String text = object.build().toString();
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", point));
            } else {
                escaped.appendCodePoint(point);
            }
        });
        PrivateFiles.write(file, escaped.toString());
    }

    private static JsonObject get(Path file) throws IOException {
        try (JsonReader reader = Json.createReader(new StringReader(Files.readString(file)))) {
            return reader.readObject();
        }
    }

    private static List<String> strings(JsonObject object, String name) {
        return object.getJsonArray(name).getValuesAs(JsonString.class).stream()
                .map(JsonString::getString)
                .toList();
    }
}
