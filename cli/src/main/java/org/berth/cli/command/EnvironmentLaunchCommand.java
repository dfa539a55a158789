package org.berth.cli.command;

import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "launch",
        description = {
            "Start the agent of an environment after its projection.",
            "Compute carries one launch; the same generation again answers what was observed then. `berth rig up` projects"
                    + " the agent's files and launches in one step."
        },
        footer = {
            "",
            "Examples:",
            "  berth environment launch worker-one",
            "  berth environment launch worker-one --generation 5f0c --model sonnet"
        })
final class EnvironmentLaunchCommand extends SeatCommand {
    private static final String TYPE = "community:openshell-claude";

    @Parameters(paramLabel = "BINDING", description = "The binding's id.")
    private String bindingId;

    @Option(
            names = "--generation",
            paramLabel = "G",
            description = "The launch; the current one, else a new one that is reserved now, when left out.")
    private String generation;

    @Option(names = "--model", paramLabel = "MODEL", description = "The model that the agent is told to use.")
    private String model;

    @Option(names = "--effort", paramLabel = "EFFORT", description = "The effort that the agent is told to make.")
    private String effort;

    @Option(names = "--permission-mode", paramLabel = "MODE", description = "The agent's permission mode.")
    private String permissionMode;

    @Option(names = "--resume-token", paramLabel = "ID", description = "The saved conversation to go on with, exactly.")
    private String resumeToken;

    @Option(
            names = "--resume-type",
            paramLabel = "TYPE",
            defaultValue = TYPE,
            description = "Whose conversation it is (" + TYPE + ").")
    private String resumeType;

    EnvironmentLaunchCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject binding = Environments.read(api(), bindingId);
        String sender = sender(Environments.rigOf(binding));
        JsonObjectBuilder body =
                Json.object().add("generation", Environments.generation(api(), binding, generation, sender));
        Json.add(body, "model", model);
        Json.add(body, "effort", effort);
        Json.add(body, "permissionMode", permissionMode);
        if (resumeToken != null) {
            body.add("resume", Json.object().add("type", resumeType).add("token", resumeToken));
        }
        JsonObject answer = api().call(Call.post(Environments.path(bindingId, "/launch"), body.build())
                        .as(sender)
                        .waiting("Launching in " + bindingId))
                .body();
        return print(answer, () -> {
            tables().describe(answer);
            if (answer.get("warnings") instanceof JsonArray warnings) {
                warnings.forEach(each -> note(Tables.safe(Json.plain(each))));
            }
            text().println("Join its terminal: berth environment connect " + bindingId);
        });
    }
}
