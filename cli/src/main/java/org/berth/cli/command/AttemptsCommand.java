package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "attempts",
        description = "List attempts, newest first.",
        footer = {"", "Examples:", "  berth attempts", "  berth attempts --state running --limit 10"})
final class AttemptsCommand extends BerthCommand {
    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only intended, starting, running, stopping, exited or uncertain ones.")
    private String state;

    @Option(names = "--owner", paramLabel = "OWNER", description = "Only those of this owner.")
    private String owner;

    @Option(names = "--after", paramLabel = "CURSOR", description = "Go on where the page before ended.")
    private String after;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "50", description = "At most N (50).")
    private int limit;

    AttemptsCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        String path = "/api/placement/attempts?limit=" + limit + ApiClient.query("state", state)
                + ApiClient.query("owner", owner) + ApiClient.query("after", after);
        JsonObject page = api().get(path);
        return print(page, () -> {
            Attempts.table(tables(), Json.objects(page, "attempts"));
            String next = Json.text(page, "next_after");
            if (next != null) {
                note("there are more; go on with --after " + next);
            }
        });
    }
}
