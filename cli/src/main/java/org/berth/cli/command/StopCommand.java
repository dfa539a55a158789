package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "stop",
        description = {
            "Stop an attempt.",
            "Asks with TERM, and ends it with KILL after its grace; --force is KILL at once."
        },
        footer = {"", "Examples:", "  berth stop run-build", "  berth stop run-build --force"})
final class StopCommand extends BerthCommand {
    @Parameters(paramLabel = "ATTEMPT", description = "The attempt's complete id.")
    private String attemptId;

    @Option(names = "--force", description = "KILL at once.")
    private boolean force;

    StopCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject mode =
                Json.object().add("mode", force ? "forced" : "cooperative").build();
        return describe(Attempts.of(api().post(ApiClient.attemptPath(attemptId, "/stop"), mode)));
    }
}
