package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;

@Command(
        name = "end",
        description = {
            "End a session: its jobs and its kernel are stopped first.",
            "An isolated one then hands its files back; what both sides changed is a conflict and is listed."
        },
        footer = {"", "Examples:", "  berth session end 4f0c"})
final class SessionEndCommand extends SessionCommand {
    /** Jobs and kernel are stopped, and up to 100000 files handed back. Source: harness.md, Isolated workspaces. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    SessionEndCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject ended = api().call(
                        Call.delete(path("")).waiting("Ending the session").within(PATIENCE))
                .body();
        describe(ended);
        List<String> conflicts = Json.texts(Json.object(ended, "handBack"), "conflicts");
        if (!conflicts.isEmpty() && !json) {
            note(conflicts.size()
                    + " files were changed on both sides; the parent's stay, the child's are in conflicts/");
        }
        return 0;
    }
}
