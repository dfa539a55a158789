package org.berth.cli.command;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;

/** The host policy for people: its settings one a line, its policies and credentials as tables. */
final class HostPolicyTables {
    private static final String POLICIES = "policies";
    private static final String CREDENTIALS = "credentials";

    private HostPolicyTables() {}

    static void print(Tables tables, JsonObject host) {
        JsonObjectBuilder settings = Json.object();
        host.forEach((name, value) -> {
            if (!name.equals(POLICIES) && !name.equals(CREDENTIALS)) {
                settings.add(name, value);
            }
        });
        tables.describe(settings.build());
        tables.print(
                List.of("POLICY", "DRIVER", "PROFILE", "MODEL", "EDITS", "CREDENTIALS"),
                rows(host, POLICIES, HostPolicyTables::policy));
        if (!Json.object(host, CREDENTIALS).isEmpty()) {
            tables.print(
                    List.of("CREDENTIAL", "KIND", "VARIABLE", "DRIVER", "OPTIONAL"),
                    rows(host, CREDENTIALS, HostPolicyTables::credential));
        }
    }

    private interface Cells {
        List<String> of(JsonObject object);
    }

    private static List<List<String>> rows(JsonObject host, String member, Cells cells) {
        List<List<String>> rows = new ArrayList<>();
        for (Map.Entry<String, JsonValue> entry : Json.object(host, member).entrySet()) {
            List<String> row = new ArrayList<>();
            row.add(entry.getKey());
            row.addAll(cells.of(entry.getValue() instanceof JsonObject object ? object : JsonValue.EMPTY_JSON_OBJECT));
            rows.add(row);
        }
        return rows;
    }

    private static List<String> policy(JsonObject policy) {
        return List.of(
                or(Json.text(policy, "driver"), ""),
                or(Json.text(policy, "profile"), ""),
                or(Json.text(policy, "model"), ""),
                yes(policy, "edits"),
                String.join(", ", Json.texts(policy, CREDENTIALS)));
    }

    private static List<String> credential(JsonObject credential) {
        return List.of(
                or(Json.text(credential, "kind"), ""),
                or(Json.text(credential, "destination"), ""),
                or(Json.text(credential, "driver"), "any"),
                yes(credential, "optional"));
    }

    private static String yes(JsonObject object, String name) {
        return object.getBoolean(name, false) ? "yes" : "";
    }

    private static String or(String text, String otherwise) {
        return text == null ? otherwise : text;
    }
}
