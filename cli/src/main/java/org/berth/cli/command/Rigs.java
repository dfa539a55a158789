package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.berth.cli.Failure;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;

/** Rigs by name, by id, and by the file that describes them. */
final class Rigs {
    private static final int PAGE = 200;
    private static final int MOST_BYTES = 1 << 20;

    private Rigs() {}

    /** All of them, by name. */
    static List<JsonObject> all(ApiClient api) {
        List<JsonObject> found = new ArrayList<>();
        String after = "";
        while (after != null) {
            JsonObject page =
                    api.get("/api/rigs?limit=" + PAGE + (after.isEmpty() ? "" : "&after=" + ApiClient.escape(after)));
            found.addAll(Json.objects(page, "rigs"));
            after = Json.text(page, "next");
        }
        return found;
    }

    /** The rig that has this name or this id. @throws Failure when there is none */
    static JsonObject named(ApiClient api, String nameOrId) {
        Optional<JsonObject> found = all(api).stream()
                .filter(rig -> nameOrId.equals(Json.text(rig, "name")) || nameOrId.equals(Json.text(rig, "rigId")))
                .findFirst();
        return found.orElseThrow(() -> Failure.failed(
                "There is no rig " + nameOrId + ", and no file of that name.",
                "`berth rig ls` lists the rigs; `berth rig up FILE` makes one of a rig file."));
    }

    /** Makes the rig of {@code file} unless it is there already; its files are those beside it. */
    static JsonObject of(ApiClient api, Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        String text;
        try {
            if (Files.size(absolute) > MOST_BYTES) {
                throw Failure.failed("The rig file " + file + " is over 1 MiB.", null);
            }
            text = Files.readString(absolute);
        } catch (IOException e) {
            throw Failure.failed("The rig file " + file + " cannot be read.", null);
        }
        boolean json = absolute.toString().toLowerCase(Locale.ROOT).endsWith(".json");
        String root = ApiClient.escape(absolute.getParent().toString());
        return api.call(Call.post("/api/rigs?root=" + root, json ? "application/json" : "application/yaml", text))
                .body();
    }

    static String path(JsonObject rig, String rest) {
        return "/api/rigs/" + ApiClient.escape(Json.text(rig, "rigId")) + rest;
    }
}
