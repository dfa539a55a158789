package org.berth.cli.command;

import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "reconcile",
        description = {"Prove an attempt alive or gone.", "Looks at its process itself and records what is proven."},
        footer = {"", "Examples:", "  berth reconcile run-build"})
final class ReconcileCommand extends BerthCommand {
    @Parameters(paramLabel = "ATTEMPT", description = "The attempt's complete id.")
    private String attemptId;

    ReconcileCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        return describe(Attempts.of(api().post(ApiClient.attemptPath(attemptId, "/reconcile"), null)));
    }
}
