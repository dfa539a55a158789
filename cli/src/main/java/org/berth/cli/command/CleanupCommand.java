package org.berth.cli.command;

import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "cleanup",
        description = {"Remove an ended attempt's home.", "Refused while anything of it still runs."},
        footer = {"", "Examples:", "  berth cleanup run-build"})
final class CleanupCommand extends BerthCommand {
    @Parameters(paramLabel = "ATTEMPT", description = "The attempt's complete id.")
    private String attemptId;

    CleanupCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        return describe(Attempts.of(api().post(ApiClient.attemptPath(attemptId, "/cleanup"), null)));
    }
}
