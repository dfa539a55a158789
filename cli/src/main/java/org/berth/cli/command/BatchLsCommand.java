package org.berth.cli.command;

import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import org.berth.cli.output.Times;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "ls",
        description = "List executions of batch jobs, newest first.",
        footer = {"", "Examples:", "  berth batch ls", "  berth batch ls --job checkpoint-capture --state stopped"})
final class BatchLsCommand extends BerthCommand {
    @Option(names = "--job", paramLabel = "JOB", description = "Only this job's.")
    private String job;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "starting, started, stopping, stopped, failed, completed or abandoned.")
    private String state;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "How many at most; default 20.")
    private int limit;

    BatchLsCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject answer = api().get("/api/batch/executions?limit=" + limit + ApiClient.query("job", job)
                + ApiClient.query("state", state));
        return print(answer, () -> {
            List<List<String>> rows = new ArrayList<>();
            for (JsonObject each : Json.objects(answer, "executions")) {
                rows.add(Attempts.row(
                        Json.plain(each.get("executionId")),
                        Json.text(each, "job"),
                        Json.text(each, "status"),
                        JsonValue.TRUE.equals(each.get("restartable")) ? "yes" : "",
                        Times.local(Json.text(each, "started")),
                        Json.text(each, "checkpointId"),
                        steps(each),
                        Json.text(each, "exitStatus")));
            }
            tables().print(
                            List.of(
                                    "EXECUTION",
                                    "JOB",
                                    "STATUS",
                                    "RESTARTABLE",
                                    "STARTED",
                                    "CHECKPOINT",
                                    "STEPS",
                                    "RESULT"),
                            rows);
        });
    }

    private static String steps(JsonObject execution) {
        return Json.objects(execution, "steps").stream()
                .map(step -> Json.text(step, "step") + " " + Json.text(step, "status"))
                .collect(Collectors.joining(", "));
    }
}
