package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "stop",
        description = {
            "Close the windows of a contained seat; its agent and its compute go on.",
            "To end those as well, use berth environment effect."
        },
        footer = {"", "Examples:", "  berth rig stop team-worker@openshell-example"})
final class RigStopCommand extends SeatCommand {
    @Parameters(paramLabel = "SEAT", description = "The seat, member@rig.")
    private String seat;

    RigStopCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        String path = ApiClient.escape(seat("SEAT", seat));
        JsonObject answer = api().call(
                        Call.post("/api/seats/" + path + "/stop", Json.object().build())
                                .as(sender(rigOf(seat)))
                                .waiting("Closing the windows of " + Tables.safe(seat)))
                .body();
        return print(answer, () -> {
            text().println("The windows of " + Tables.safe(seat) + " are closed; its agent and its compute go on.");
            text().println("Join its terminal again:");
            text().println("  berth environment connect " + Tables.safe(Json.text(answer, "bindingId")));
        });
    }
}
