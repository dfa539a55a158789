package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import org.berth.cli.output.Times;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Show a rig and its seats.",
        footer = {"", "Examples:", "  berth rig show openshell-example", "  berth rig show openshell-example --json"})
final class RigShowCommand extends BerthCommand {
    @Parameters(paramLabel = "RIG", description = "Its name or its id.")
    private String rig;

    RigShowCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject found = Rigs.named(api(), rig);
        JsonObject whole = api().get(Rigs.path(found, ""));
        JsonObject nodes = api().get(Rigs.path(found, "/nodes"));
        JsonObject answer = Json.object(whole).add("nodes", nodes.get("nodes")).build();
        return print(answer, () -> {
            text().println(style().heading("Rig " + Tables.safe(Json.text(whole, "name"))) + "  "
                    + Json.text(whole, "rigId")
                    + ", made by " + Json.text(whole, "createdBy") + " at "
                    + Times.local(Json.text(whole, "createdAt")));
            text().println("Files in " + Tables.safe(Json.text(whole, "root")));
            text().println();
            List<List<String>> rows = new ArrayList<>();
            for (JsonObject node : Json.objects(nodes, "nodes")) {
                rows.add(Attempts.row(
                        Json.text(node, "seat"),
                        Json.text(node, "runtime"),
                        Json.text(node, "profile"),
                        Json.text(node, "generation"),
                        Json.text(node, "nodeId")));
            }
            tables().print(List.of("SEAT", "RUNTIME", "PROFILE", "GENERATION", "NODE"), rows);
        });
    }
}
