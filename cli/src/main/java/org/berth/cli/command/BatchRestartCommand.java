package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "restart",
        description = "Restart a stopped or failed execution; steps that completed are not run again.",
        footer = {"", "Examples:", "  berth batch restart 12"})
final class BatchRestartCommand extends BerthCommand {
    @Parameters(paramLabel = "EXECUTION", description = "As `ls` shows it.")
    private long executionId;

    BatchRestartCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject answer = api().post("/api/batch/executions/" + executionId + "/restart", null);
        return print(
                answer,
                () -> text().println("Execution " + executionId + " goes on as " + Json.plain(answer.get("executionId"))
                        + "."));
    }
}
