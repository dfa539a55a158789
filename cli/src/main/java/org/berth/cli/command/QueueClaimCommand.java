package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;

@Command(
        name = "claim",
        description = "Take an item: it is in progress, and yours.",
        footer = {"", "Examples:", "  berth queue claim report-1 --as team-worker@openshell-example"})
final class QueueClaimCommand extends QueueChangeCommand {

    QueueClaimCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    String action() {
        return "claim";
    }

    @Override
    JsonObject change() {
        return withNote(Json.object());
    }
}
