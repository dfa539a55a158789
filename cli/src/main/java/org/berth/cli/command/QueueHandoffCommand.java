package org.berth.cli.command;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.nio.file.Path;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "handoff",
        description = {
            "Pass an item on: it ends as handed off, and its successor is another seat's.",
            "What is not said anew is the item's own."
        },
        footer = {"", "Examples:", "  berth queue handoff report-1 --to team-coordinator@openshell-example --note ready"
        })
final class QueueHandoffCommand extends QueueChangeCommand {
    @Option(
            names = {"--to", "--destination"},
            required = true,
            paramLabel = "SEAT",
            description = "Who goes on with it.")
    private String destination;

    @Option(
            names = "--id",
            paramLabel = "ITEM",
            description = "The successor's id; the server makes one when left out.")
    private String id;

    @Option(names = "--body", paramLabel = "TEXT", description = "What is to be done.")
    private String body;

    @Option(names = "--body-file", paramLabel = "FILE", description = "A file that says what is to be done.")
    private Path bodyFile;

    @Option(names = "--priority", paramLabel = "P", description = "routine, urgent or critical.")
    private String priority;

    QueueHandoffCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    String action() {
        return "handoff";
    }

    @Override
    JsonObject change() {
        JsonObjectBuilder request = Json.object();
        Json.add(request, "qitemId", id);
        request.add("destinationSession", seat("--to", destination));
        Json.add(request, "body", Queue.body(body, bodyFile));
        Json.add(request, "priority", priority);
        return withNote(request);
    }
}
