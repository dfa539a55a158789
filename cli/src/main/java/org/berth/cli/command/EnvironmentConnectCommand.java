package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.time.Duration;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.api.Patience;
import org.berth.cli.api.ProblemException;
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
    private static final Duration RECORDED = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(50);

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
        return new Joining(surroundings, api(), json)
                .follow(attemptId, () -> close(attemptId))
                .exitCode();
    }

    /** Ends the window that nobody looks at any more. */
    private void close(String attemptId) {
        try {
            api().post(
                            ApiClient.attemptPath(attemptId, "/stop"),
                            Json.object().add("mode", "cooperative").build());
            awaitExit(attemptId);
            api().post(ApiClient.attemptPath(attemptId, "/cleanup"), null);
            note("the window is closed; the agent goes on. Come back with `berth environment connect " + bindingId
                    + "`");
        } catch (ProblemException e) {
            note("the agent goes on, and so does this window; `berth attach " + attemptId + "` comes back to it");
        }
    }

    /** The record of the exit follows the exit. */
    private void awaitExit(String attemptId) {
        long deadline = System.nanoTime() + RECORDED.toNanos();
        while (!Attempts.exited(Attempts.read(api(), attemptId)) && System.nanoTime() - deadline < 0) {
            Patience.sleep(PAUSE);
        }
    }
}
