package org.berth.cli.command;

import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Show one attempt, with a look at its process now.",
        footer = {"", "Examples:", "  berth show run-build"})
final class ShowCommand extends BerthCommand {
    @Parameters(paramLabel = "ATTEMPT", description = "The attempt's complete id.")
    private String attemptId;

    ShowCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        return describe(api().get(ApiClient.attemptPath(attemptId, "")));
    }
}
