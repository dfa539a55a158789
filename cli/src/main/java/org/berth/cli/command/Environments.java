package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.berth.cli.Failure;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;

/** Bindings of environments, read and shown. */
final class Environments {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,159}");
    private static final int MOST_BYTES = 8 << 20;

    private Environments() {}

    /** The route of a binding. @throws Failure usage, unless {@code bindingId} is an identifier */
    static String path(String bindingId, String rest) {
        return "/api/environments/" + ApiClient.escape(identifier("BINDING", bindingId)) + rest;
    }

    /** @throws Failure usage */
    static String identifier(String option, String text) {
        if (!ID.matcher(text).matches()) {
            throw Failure.usage(option + " must be 1 to 160 letters, digits or . _ -: " + text);
        }
        return text;
    }

    /** What is recorded of the binding. */
    static JsonObject read(ApiClient api, String bindingId) {
        return api.get(path(bindingId, ""));
    }

    static String rigOf(JsonObject binding) {
        return SeatCommand.rigOf(Json.text(binding, "seat"));
    }

    /** The generation given, else the binding's current one, else a new one that is reserved for its seat. */
    static String generation(ApiClient api, JsonObject binding, String given, String sender) {
        if (given != null) {
            return identifier("--generation", given);
        }
        String current = Json.text(binding, "generation");
        if (current != null) {
            return current;
        }
        String route = "/api/seats/" + ApiClient.escape(Json.text(binding, "seat")) + "/generations";
        return Json.text(
                api.call(Call.post(route, Json.object().build()).as(sender)).body(), "generation");
    }

    /** The JSON object that a request file holds. @throws Failure */
    static JsonObject request(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw Failure.failed("The request file " + file + " is over 8 MiB.", null);
            }
            return Json.parse(Files.readString(file))
                    .orElseThrow(() -> Failure.failed("The request file " + file + " holds no JSON object.", null));
        } catch (IOException e) {
            throw Failure.failed("The request file " + file + " cannot be read.", null);
        }
    }

    /** The phase of the binding's resource; {@code not created} without one. */
    static String phase(JsonObject binding) {
        JsonObject resource = Json.object(binding, "resource");
        return resource.isEmpty() ? "not created" : Json.text(resource, "phase");
    }

    static void table(Tables tables, List<JsonObject> bindings) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject binding : bindings) {
            JsonObject placement = Json.object(binding, "placement");
            rows.add(Attempts.row(
                    Json.text(binding, "bindingId"),
                    Json.text(binding, "seat"),
                    phase(binding),
                    Json.text(binding, "ownership"),
                    Json.text(binding, "generation"),
                    Json.text(placement, "gateway"),
                    Json.text(placement, "workspace"),
                    Json.text(placement, "name")));
        }
        tables.print(
                List.of("BINDING", "SEAT", "PHASE", "OWNERSHIP", "GENERATION", "GATEWAY", "WORKSPACE", "NAME"), rows);
    }
}
