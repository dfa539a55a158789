package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "inspect",
        description = "Show what is recorded of an environment, or what is there now.",
        footer = {
            "",
            "Examples:",
            "  berth environment inspect worker-one",
            "  berth environment inspect worker-one --live --json"
        })
final class EnvironmentInspectCommand extends BerthCommand {
    @Parameters(paramLabel = "BINDING", description = "The binding's id.")
    private String bindingId;

    @Option(
            names = "--live",
            description = "Look at the resource itself; a provider that does not answer proves nothing.")
    private boolean live;

    EnvironmentInspectCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject inspected = api().get(Environments.path(bindingId, live ? "?live=true" : ""));
        return print(inspected, () -> {
            EnvironmentSummary summary = new EnvironmentSummary(text(), style());
            summary.binding(inspected);
            summary.inspected(inspected, "live-resource".equals(Json.text(inspected, "observation")));
        });
    }
}
