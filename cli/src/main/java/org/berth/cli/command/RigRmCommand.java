package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "rm",
        description = {
            "Remove a rig and its seats.",
            "Refused while a seat has an environment or open work. The rig's files stay."
        },
        footer = {"", "Examples:", "  berth rig rm openshell-example"})
final class RigRmCommand extends BerthCommand {
    @Parameters(paramLabel = "RIG", description = "Its name or its id.")
    private String rig;

    RigRmCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject found = Rigs.named(api(), rig);
        JsonObject answer = api().call(Call.delete(Rigs.path(found, ""))).body();
        return print(
                answer,
                () -> text().println(
                                "The rig " + Tables.safe(Json.text(found, "name")) + " is removed; its files stay."));
    }
}
