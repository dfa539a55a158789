package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "delete",
        description = {
            "Remove what a checkpoint keeps on this host.",
            "Refused while a recreation, its resume or a snapshot needs it. The conversation cannot be restored from it"
                    + " afterwards; the journal keeps that it was there."
        },
        footer = {"", "Examples:", "  berth environment checkpoint delete before-delete"})
final class CheckpointDeleteCommand extends SeatCommand {
    @Parameters(paramLabel = "CHECKPOINT", description = "The checkpoint's id.")
    private String checkpointId;

    CheckpointDeleteCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject shown = api().get(Checkpoints.path(checkpointId));
        String requestedBy = Json.text(shown, "requestedBy");
        JsonObject answer = api().call(Call.delete(Checkpoints.path(checkpointId))
                        .as(sender(rigOf(requestedBy)))
                        .waiting("Removing the checkpoint " + checkpointId))
                .body();
        return print(
                answer,
                () -> text().println("The checkpoint " + Tables.safe(checkpointId) + " is removed; "
                        + Checkpoints.size(answer, "freedBytes") + " of the disk are free again."));
    }
}
