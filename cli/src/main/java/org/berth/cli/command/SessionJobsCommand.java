package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;

@Command(
        name = "jobs",
        description = "List a session's jobs: commands, and cells that outlived the budget.",
        footer = {"", "Examples:", "  berth session jobs 4f0c"})
final class SessionJobsCommand extends SessionCommand {
    SessionJobsCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject answer = get("/jobs");
        return print(answer, () -> Sessions.jobTable(tables(), Json.objects(answer, "jobs")));
    }
}
