package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.util.List;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "List sessions, newest first.",
        footer = {"", "Examples:", "  berth session list", "  berth session list --limit 10 --json"})
final class SessionListCommand extends BerthCommand {
    @Option(names = "--limit", paramLabel = "N", defaultValue = "50", description = "At most N (50).")
    private int limit;

    SessionListCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject answer = api().get(Sessions.ROUTE + "?limit=" + limit);
        List<JsonObject> sessions = Json.objects(answer, "sessions");
        return print(answer, () -> {
            Sessions.table(tables(), sessions);
            if (sessions.size() >= limit) {
                note("there may be more; --limit shows more of them");
            }
        });
    }
}
