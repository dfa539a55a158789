package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.api.ProblemException;
import org.berth.cli.stream.Ending;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "connect",
        description = {
            "Join the terminal of the agent in an environment; Ctrl-] leaves.",
            "Leaving closes this window only: agent and environment go on."
        },
        footer = {"", "Examples:", "  berth environment connect worker-one"})
final class EnvironmentConnectCommand extends SeatCommand {
    @Parameters(paramLabel = "BINDING", description = "The binding's id.")
    private String bindingId;

    @Option(names = "--generation", paramLabel = "G", description = "The launch; the current one when left out.")
    private String generation;

    EnvironmentConnectCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject binding = Environments.read(api(), bindingId);
        String wanted = generation != null ? generation : Json.text(binding, "generation");
        if (wanted == null) {
            throw Failure.failed(
                    "Nothing was launched in " + bindingId + ".",
                    "`berth rig up` or `berth environment launch` starts its agent.");
        }
        JsonObject body = Json.object().add("generation", wanted).build();
        String attemptId = Json.text(
                api().call(Call.post(Environments.path(bindingId, "/connect"), body)
                                .as(sender(Environments.rigOf(binding)))
                                .waiting("Opening a window on " + bindingId))
                        .body(),
                "attempt_id");
        Ending ending = new Joining(surroundings, api(), json).follow(attemptId);
        if (ending instanceof Ending.Left) {
            close(attemptId);
        }
        return ending.exitCode();
    }

    private void close(String attemptId) {
        try {
            api().post(
                            ApiClient.attemptPath(attemptId, "/stop"),
                            Json.object().add("mode", "cooperative").build());
            note("the window is closed; the agent goes on. Come back with `berth environment connect " + bindingId
                    + "`");
        } catch (ProblemException e) {
            note("the window stays open as " + attemptId + "; `berth attach " + attemptId + "` comes back to it");
        }
    }
}
