package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import org.berth.cli.output.Times;

/** Snapshots of rigs, read and shown. */
final class Snapshots {
    private static final int PAGE = 200;

    private Snapshots() {}

    /** All of the rig, newest first. */
    static List<JsonObject> all(ApiClient api, JsonObject rig) {
        List<JsonObject> found = new ArrayList<>();
        String after = "";
        while (after != null) {
            JsonObject page = api.get(Rigs.path(rig, "/snapshots?limit=" + PAGE)
                    + (after.isEmpty() ? "" : "&after=" + ApiClient.escape(after)));
            found.addAll(Json.objects(page, "snapshots"));
            after = Json.text(page, "next");
        }
        return found;
    }

    static String path(String snapshotId, String rest) {
        return "/api/snapshots/" + ApiClient.escape(snapshotId) + rest;
    }

    static void show(PrintStream text, Tables tables, JsonObject snapshot) {
        text.println("Snapshot " + Tables.safe(Json.text(snapshot, "id")) + " of "
                + Tables.safe(Json.text(snapshot, "rigName"))
                + ", by " + Tables.safe(Json.text(snapshot, "createdBy")) + " at "
                + Times.local(Json.text(snapshot, "createdAt")));
        text.println();
        JsonObject data = Json.object(snapshot, "data");
        JsonObject bindings = Json.object(data, "environmentBindingsByNode");
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject node : Json.objects(data, "nodes")) {
            JsonObject kept = Json.object(bindings, Json.text(node, "id"));
            rows.add(Attempts.row(
                    Json.text(node, "seat"),
                    Json.text(node, "runtime"),
                    Json.text(kept, "bindingId"),
                    Json.text(kept, "generation"),
                    Json.text(kept, "checkpointId"),
                    Json.text(kept, "nativeId")));
        }
        tables.print(List.of("SEAT", "RUNTIME", "ENVIRONMENT", "GENERATION", "CHECKPOINT", "CONVERSATION"), rows);
    }
}
