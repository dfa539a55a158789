package org.berth.cli.command;

import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.output.Times;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "completion",
        description = {
            "Let an environment's execution end once one work item is done and its result is home.",
            "With a request or its parts: select it. With a binding alone: show what is selected. With --check: look at"
                    + " everything that is selected now. The stop is sent once; nothing is deleted."
        },
        footer = {
            "",
            "Examples:",
            "  berth environment completion worker-one --request completion.json",
            "  berth environment completion worker-one --task qitem-7 --export export-7 --effect stop-compute",
            "  berth environment completion worker-one",
            "  berth environment completion --check",
            "",
            "The request: {operationId, generation, taskId, exportOperationId, effect}. The same operation again answers how",
            "it stands. The task must be closed as done with no-follow-on, and the exported bytes must still be there."
        })
final class EnvironmentCompletionCommand extends SeatCommand {
    @Parameters(paramLabel = "BINDING", arity = "0..1", description = "The binding's id.")
    private String bindingId;

    @Option(names = "--request", paramLabel = "FILE", description = "A JSON file with the selection.")
    private Path request;

    @Option(names = "--task", paramLabel = "ITEM", description = "The work item, instead of a request file.")
    private String task;

    @Option(names = "--export", paramLabel = "ID", description = "The operation of the export that is its result.")
    private String export;

    @Option(names = "--effect", paramLabel = "EFFECT", description = "stop-native (default) or stop-compute.")
    private String effect;

    @Option(names = "--generation", paramLabel = "G", description = "The execution; the current one when left out.")
    private String generation;

    @Option(
            names = "--operation",
            paramLabel = "ID",
            description = "This selection's own id; completion-ITEM when left out.")
    private String operation;

    @Option(names = "--check", description = "Check every selected completion of the host; needs no binding.")
    private boolean check;

    EnvironmentCompletionCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        boolean parts = Stream.of(task, export, effect, generation, operation).anyMatch(each -> each != null);
        if (check) {
            if (bindingId != null || request != null || parts) {
                throw Failure.usage("--check looks at every selection and takes nothing besides.");
            }
            return describe(
                    api().call(Call.post("/api/completions/check", Json.object().build())
                                    .waiting("Checking the selected completions"))
                            .body());
        }
        if (bindingId == null) {
            throw Failure.usage("Name the BINDING, or use --check for all.");
        }
        if (request != null && parts) {
            throw Failure.usage("Give --request or the parts of the selection, not both.");
        }
        JsonObject binding = Environments.read(api(), bindingId);
        return request == null && !parts ? show(binding) : select(binding);
    }

    private int select(JsonObject binding) {
        JsonObject selection = request == null ? selection(binding) : Environments.request(request);
        return describe(api().call(Call.post(Environments.path(bindingId, "/completion"), selection)
                        .as(sender(Environments.rigOf(binding)))
                        .waiting("Selecting and checking the completion"))
                .body());
    }

    private JsonObject selection(JsonObject binding) {
        if (task == null || export == null) {
            throw Failure.usage("A selection needs --task and --export.");
        }
        String current = Json.text(binding, "generation");
        if (generation == null && current == null) {
            throw Failure.failed("The environment " + bindingId + " has no generation yet; launch it first.", null);
        }
        JsonObjectBuilder body = Json.object()
                .add(
                        "operationId",
                        Environments.identifier("--operation", operation == null ? "completion-" + task : operation))
                .add("generation", Environments.identifier("--generation", generation == null ? current : generation))
                .add("taskId", Environments.identifier("--task", task))
                .add("exportOperationId", Environments.identifier("--export", export))
                .add("effect", effect == null ? "stop-native" : effect);
        return body.build();
    }

    private int show(JsonObject binding) {
        List<JsonObject> selected = Json.objects(binding, "operations").stream()
                .filter(each -> "completion".equals(Json.text(each, "kind")))
                .toList();
        JsonArrayBuilder all = Json.array();
        selected.forEach(all::add);
        JsonObject document = Json.object()
                .add("bindingId", bindingId)
                .add("completions", all)
                .build();
        return print(document, () -> {
            if (selected.isEmpty()) {
                text().println("No completion is selected for " + bindingId + ".");
                return;
            }
            List<List<String>> rows = new ArrayList<>();
            for (JsonObject each : selected) {
                JsonObject attempt = Json.object(each, "receipt");
                rows.add(Attempts.row(
                        Json.text(each, "operationId"),
                        Json.text(each, "state"),
                        Json.text(each, "requestedBy"),
                        attempt.isEmpty() ? "never tried" : at(attempt),
                        Json.text(attempt, "state"),
                        Json.text(attempt, "code") == null
                                ? Json.text(attempt, "detail")
                                : Json.text(attempt, "code")));
            }
            tables().print(List.of("OPERATION", "STATE", "BY", "LAST ATTEMPT", "OUTCOME", "DETAIL"), rows);
        });
    }

    private static String at(JsonObject attempt) {
        return Times.local(
                Instant.ofEpochMilli(Json.number(attempt, "lastAttemptAt").orElse(0))
                        .toString());
    }
}
