package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "snapshot",
        description = {
            "Keep what a rig is now, by reference.",
            "Take it after the checkpoints and before anything is recreated: it names each seat's binding, compute and newest"
                    + " checkpoint, and what the seat starts with. It holds no secret and no conversation."
        },
        footer = {"", "Examples:", "  berth rig snapshot openshell-example"})
final class RigSnapshotCommand extends SeatCommand {
    @Parameters(paramLabel = "RIG", description = "Its name or its id.")
    private String rig;

    RigSnapshotCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject found = Rigs.named(api(), rig);
        JsonObject answer = api().call(
                        Call.post(Rigs.path(found, "/snapshots"), Json.object().build())
                                .as(sender(Json.text(found, "name")))
                                .waiting("Keeping " + Tables.safe(Json.text(found, "name"))))
                .body();
        return print(answer, () -> {
            Snapshots.show(text(), tables(), answer);
            text().println("Restore it: berth rig restore " + Tables.safe(Json.text(answer, "id")));
        });
    }
}
