package org.berth.cli.command;

import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.ExitCodes;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Advice;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "restore",
        description = {
            "Restore the members of a rig as a snapshot keeps them.",
            "Each contained member goes on with exactly its saved conversation, on compute that was recreated for it, or is"
                    + " not started at all. Nothing is typed into a conversation. The exit code is 1 when a member needs"
                    + " attention."
        },
        footer = {"", "Examples:", "  berth rig restore 0b9d6f0e-7c1f-4b52-9d0e-2f1d7a1c9a11"})
final class RigRestoreCommand extends SeatCommand {
    /** Members are restored one after the other, each within a minute. Source: environments.md, launch; 30 s for its identity. */
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    @Parameters(paramLabel = "SNAPSHOT", description = "The snapshot's id.")
    private String snapshot;

    RigRestoreCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject kept = api().get(Snapshots.path(snapshot, ""));
        JsonObject answer = api().call(Call.post(
                                Snapshots.path(snapshot, "/restore"),
                                Json.object().build())
                        .as(sender(Json.text(kept, "rigName")))
                        .waiting("Restoring " + Tables.safe(Json.text(kept, "rigName")))
                        .within(PATIENCE))
                .body();
        List<JsonObject> nodes = Json.objects(answer, "nodes");
        print(answer, () -> show(nodes));
        return nodes.stream().allMatch(RigRestoreCommand::resumed) ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private static boolean resumed(JsonObject node) {
        return "resumed".equals(Json.text(node, "status"));
    }

    private void show(List<JsonObject> nodes) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject node : nodes) {
            rows.add(Attempts.row(
                    Json.text(node, "seat"),
                    Json.text(node, "runtime"),
                    resumed(node) ? "resumed" : "attention",
                    Json.text(node, "bindingId"),
                    Json.text(node, "nativeId"),
                    Json.text(node, "code")));
        }
        tables().print(List.of("SEAT", "RUNTIME", "STATUS", "ENVIRONMENT", "CONVERSATION", "WHY"), rows);
        nodes.forEach(this::explain);
    }

    private void explain(JsonObject node) {
        text().println();
        String seat = Tables.safe(Json.text(node, "seat"));
        if (!resumed(node)) {
            text().println(seat + " needs attention: " + Tables.safe(Json.text(node, "error")));
            String code = Json.text(node, "code");
            String next = code == null ? null : Advice.of(code);
            if (next != null) {
                text().println("  " + Tables.safe(next));
            }
            return;
        }
        text().println(seat + " goes on with its conversation. Join its terminal:");
        text().println("  berth environment connect " + Tables.safe(Json.text(node, "bindingId")));
        JsonObject context = Json.object(node, "context");
        for (String kind : List.of("changed", "added", "removed")) {
            Json.texts(context, kind).forEach(path -> text().println("  " + kind + " since: " + Tables.safe(path)));
        }
        if (node.get("warnings") instanceof JsonArray warnings) {
            warnings.forEach(each -> text().println("  " + Tables.safe(Json.plain(each))));
        }
    }
}
