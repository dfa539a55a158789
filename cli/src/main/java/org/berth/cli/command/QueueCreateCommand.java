package org.berth.cli.command;

import jakarta.json.JsonObjectBuilder;
import java.nio.file.Path;
import java.util.List;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "create",
        description = {"Give a seat work.", "The same --id with the same work again is answered with what is there."},
        footer = {
            "",
            "Examples:",
            "  berth queue create --to team-worker@openshell-example --body 'Write the report'",
            "  berth queue create --to team-worker@openshell-example --as team-coordinator@openshell-example"
                    + " --id report-1 --priority urgent --body-file work.md"
        })
final class QueueCreateCommand extends SeatCommand {
    @Option(
            names = {"--to", "--destination"},
            required = true,
            paramLabel = "SEAT",
            description = "Who is to do it.")
    private String destination;

    @Option(names = "--id", paramLabel = "ITEM", description = "The item's id; the server makes one when left out.")
    private String id;

    @Option(names = "--body", paramLabel = "TEXT", description = "What is to be done.")
    private String body;

    @Option(names = "--body-file", paramLabel = "FILE", description = "A file that says what is to be done.")
    private Path bodyFile;

    @Option(names = "--priority", paramLabel = "P", description = "routine (default), urgent or critical.")
    private String priority;

    @Option(names = "--tag", paramLabel = "TAG", description = "A word to find it by; repeatable.")
    private List<String> tags;

    @Option(names = "--nudge", description = "Tell the seat at once.")
    private boolean nudge;

    QueueCreateCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        seat("--to", destination);
        String text = Queue.body(body, bodyFile);
        if (text == null) {
            throw Failure.usage("Say what is to be done with --body or --body-file.");
        }
        JsonObjectBuilder request = Json.object();
        Json.add(request, "qitemId", id);
        request.add("destinationSession", destination).add("body", text);
        Json.add(request, "priority", priority);
        if (tags != null) {
            request.add("tags", Json.array(tags));
        }
        if (nudge) {
            request.add("nudge", true);
        }
        return describe(
                api().call(Call.post("/api/queue/create", request.build()).as(sender(rigOf(destination))))
                        .body());
    }
}
