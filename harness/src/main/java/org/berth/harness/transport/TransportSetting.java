package org.berth.harness.transport;

import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.berth.problem.BerthException;

/** The operator's setting of a wrapped transport: {@code {argvPrefix, python?, command?, pathMap?, env?}}. */
public final class TransportSetting {
    private static final Set<String> FIELDS = Set.of("argvPrefix", "python", "command", "pathMap", "env");

    private TransportSetting() {}

    /** @throws BerthException {@code invalid} that names the field, also for a field that is none of these */
    public static KernelTransport.Wrapped read(JsonObject setting) {
        for (String field : setting.keySet()) {
            require(FIELDS.contains(field), field, "is no field of a kernel transport");
        }
        return new KernelTransport.Wrapped(
                texts(setting, "argvPrefix"),
                setting.containsKey("python") ? text(setting.get("python"), "python") : KernelTransport.Wrapped.PYTHON,
                command(setting),
                new PathMap(mounts(setting)),
                texts(setting, "env"));
    }

    private static CommandForm command(JsonObject setting) {
        String form = setting.containsKey("command") ? text(setting.get("command"), "command") : "argv";
        return switch (form) {
            case "argv" -> CommandForm.ARGV;
            case "shell" -> CommandForm.SHELL;
            default -> throw BerthException.invalid("command of a kernel transport must be argv or shell");
        };
    }

    private static List<Mount> mounts(JsonObject setting) {
        List<Mount> mounts = new ArrayList<>();
        for (JsonValue value : array(setting, "pathMap")) {
            require(value instanceof JsonObject, "pathMap", "must hold objects {sandbox, host}");
            JsonObject mount = value.asJsonObject();
            require(mount.keySet().equals(Set.of("sandbox", "host")), "pathMap", "must hold objects {sandbox, host}");
            mounts.add(new Mount(text(mount.get("sandbox"), "sandbox"), path(text(mount.get("host"), "host"))));
        }
        return mounts;
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw BerthException.invalid("host of a kernel transport's mount is no path");
        }
    }

    private static List<String> texts(JsonObject setting, String field) {
        List<String> texts = new ArrayList<>();
        for (JsonValue value : array(setting, field)) {
            texts.add(text(value, field));
        }
        return texts;
    }

    private static JsonArray array(JsonObject setting, String field) {
        JsonValue value = setting.getOrDefault(field, JsonValue.EMPTY_JSON_ARRAY);
        require(value instanceof JsonArray, field, "must be a list");
        return value.asJsonArray();
    }

    private static String text(JsonValue value, String field) {
        require(value instanceof JsonString, field, "must be a string");
        return ((JsonString) value).getString();
    }

    private static void require(boolean holds, String field, String rule) {
        if (!holds) {
            throw BerthException.invalid(field + " of a kernel transport " + rule);
        }
    }
}
