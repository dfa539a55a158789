package org.berth.cli.command;

import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.output.Times;
import picocli.CommandLine.Command;

@Command(
        name = "ls",
        description = "List rigs by name.",
        footer = {"", "Examples:", "  berth rig ls"})
final class RigLsCommand extends BerthCommand {
    RigLsCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        List<JsonObject> rigs = Rigs.all(api());
        JsonArrayBuilder list = Json.array();
        rigs.forEach(list::add);
        return print(Json.object().add("rigs", list).build(), () -> {
            List<List<String>> rows = new ArrayList<>();
            for (JsonObject rig : rigs) {
                rows.add(Attempts.row(
                        Json.text(rig, "name"),
                        Json.text(rig, "rigId"),
                        Json.text(rig, "createdBy"),
                        Times.local(Json.text(rig, "createdAt")),
                        Json.text(rig, "root")));
            }
            tables().print(List.of("NAME", "RIG", "CREATED BY", "CREATED", "ROOT"), rows);
        });
    }
}
