package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.util.List;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import picocli.CommandLine.Command;

@Command(
        name = "prompt",
        description = "Show what the session adds to its agent's prompt now, such as the jobs that run.",
        footer = {"", "Examples:", "  berth session prompt 4f0c"})
final class SessionPromptCommand extends SessionCommand {
    SessionPromptCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject answer = get("/prompt");
        return print(answer, () -> show(Json.objects(answer, "sections")));
    }

    private void show(List<JsonObject> sections) {
        if (sections.isEmpty()) {
            note("there is nothing to add now");
        }
        String gap = "";
        for (JsonObject section : sections) {
            text().print(gap);
            text().println(style().heading(Tables.safe(Json.text(section, "name"))));
            String body = Json.text(section, "text");
            if (body != null) {
                body.lines().map(Tables::safe).forEach(text()::println);
            }
            gap = "\n";
        }
    }
}
