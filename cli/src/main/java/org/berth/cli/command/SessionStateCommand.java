package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;

@Command(
        name = "state",
        description = {
            "Show a session's committed documents, such as one for each running job.",
            "A long body is cut; --json has all of it."
        },
        footer = {"", "Examples:", "  berth session state 4f0c", "  berth session state 4f0c --json"})
final class SessionStateCommand extends SessionCommand {
    SessionStateCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject answer = get("/state");
        return print(answer, () -> {
            List<List<String>> rows = new ArrayList<>();
            for (JsonObject each : Json.objects(answer, "documents")) {
                rows.add(Attempts.row(
                        Json.text(each, "type"), Json.text(each, "key"), Sessions.summary(Json.text(each, "body"))));
            }
            tables().print(List.of("TYPE", "KEY", "BODY"), rows);
        });
    }
}
