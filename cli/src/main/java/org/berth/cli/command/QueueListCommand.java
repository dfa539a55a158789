package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "List work, newest first.",
        footer = {
            "",
            "Examples:",
            "  berth queue list --rig openshell-example --open",
            "  berth queue list --to team-worker@openshell-example --state in-progress"
        })
final class QueueListCommand extends BerthCommand {
    @Option(
            names = {"--to", "--destination"},
            paramLabel = "SEAT",
            description = "Only what this seat is to do.")
    private String destination;

    @Option(
            names = {"--from", "--source"},
            paramLabel = "SEAT",
            description = "Only what this seat gave.")
    private String source;

    @Option(names = "--seat", paramLabel = "SEAT", description = "Only what this seat gave or is to do.")
    private String session;

    @Option(names = "--rig", paramLabel = "RIG", description = "Only this rig's.")
    private String rig;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only pending, in-progress, blocked, done, failed, denied, canceled or handed-off ones.")
    private String state;

    @Option(names = "--priority", paramLabel = "P", description = "Only routine, urgent or critical ones.")
    private String priority;

    @Option(names = "--open", description = "Only what has not ended.")
    private boolean open;

    @Option(names = "--after", paramLabel = "CURSOR", description = "Go on where the page before ended.")
    private String after;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "50", description = "At most N (50).")
    private int limit;

    QueueListCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject page = api().get("/api/queue/list?limit=" + limit
                + ApiClient.query("destinationSession", destination)
                + ApiClient.query("sourceSession", source)
                + ApiClient.query("session", session)
                + ApiClient.query("rig", rig)
                + ApiClient.query("state", state)
                + ApiClient.query("priority", priority)
                + ApiClient.query("open", open ? "true" : null)
                + ApiClient.query("after", after));
        return print(page, () -> {
            Queue.table(tables(), Json.objects(page, "items"));
            String next = Json.text(page, "next");
            if (next != null) {
                note("there are more; go on with --after " + next);
            }
        });
    }
}
