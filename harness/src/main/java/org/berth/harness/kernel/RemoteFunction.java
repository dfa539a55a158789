package org.berth.harness.kernel;

import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.util.regex.Pattern;

/**
 * A function that a kernel offers as the tool {@code remote/<name>}.
 *
 * @param name letters, digits, {@code _} and {@code -}, at most 64
 * @param doc for the model; may be empty
 * @param schema of an object with one property per argument
 */
public record RemoteFunction(String name, String module, String function, String doc, JsonObject schema) {
    /** The request by which a kernel offers a function. Source: harness.md, "Kernel and transport". */
    public static final String REGISTER = "remote.register";

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,63}");

    /** @throws IllegalArgumentException for a name that is no tool's */
    public RemoteFunction {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "name of a remote function must be letters, digits, _ and -, at most 64");
        }
    }

    /** @throws IllegalArgumentException that names the field which is missing or of another kind */
    public static RemoteFunction of(JsonObject data) {
        if (!(data.get("schema") instanceof JsonObject schema)) {
            throw new IllegalArgumentException("schema of a remote function must be an object");
        }
        return new RemoteFunction(
                text(data, "name"), text(data, "module"), text(data, "function"), data.getString("doc", ""), schema);
    }

    private static String text(JsonObject data, String field) {
        if (data.get(field) instanceof JsonString value) {
            return value.getString();
        }
        throw new IllegalArgumentException(field + " of a remote function must be a string");
    }
}
