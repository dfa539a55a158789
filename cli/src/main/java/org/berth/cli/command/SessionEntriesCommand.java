package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.output.Times;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "entries",
        description = {"List a session's entries, oldest first.", "They form a tree; * marks where the session stands."
        },
        footer = {"", "Examples:", "  berth session entries 4f0c", "  berth session entries 4f0c --after 200 --json"})
final class SessionEntriesCommand extends SessionCommand {
    @Option(names = "--after", paramLabel = "SEQ", defaultValue = "0", description = "Only those after number SEQ.")
    private long after;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "200", description = "At most N (200).")
    private int limit;

    SessionEntriesCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject answer = get("/entries?after=" + after + "&limit=" + limit);
        return print(answer, () -> show(Json.objects(answer, "entries"), Json.text(answer, "head")));
    }

    private void show(List<JsonObject> entries, String head) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject entry : entries) {
            String id = Json.text(entry, "entryId");
            rows.add(Attempts.row(
                    Json.text(entry, "sequence"),
                    Objects.equals(id, head) ? "*" : "",
                    id,
                    Json.text(entry, "parent"),
                    Json.text(entry, "kind"),
                    Times.local(Json.text(entry, "createdAt")),
                    Sessions.summary(Json.text(entry, "body"))));
        }
        tables().print(List.of("SEQ", "", "ENTRY", "PARENT", "KIND", "CREATED", "BODY"), rows);
        if (!entries.isEmpty() && entries.size() >= limit) {
            note("there may be more; go on with --after " + Json.text(entries.getLast(), "sequence"));
        }
    }
}
