package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;

@Command(
        name = "unclaim",
        description = "Give a taken item back; it is pending again.",
        footer = {"", "Examples:", "  berth queue unclaim report-1 --as team-worker@openshell-example"})
final class QueueUnclaimCommand extends QueueChangeCommand {

    QueueUnclaimCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    String action() {
        return "unclaim";
    }

    @Override
    JsonObject change() {
        return withNote(Json.object());
    }
}
