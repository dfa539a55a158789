package org.berth.cli.command;

import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.ExitCodes;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Advice;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "up",
        description = {
            "Start the members of a rig.",
            "A rig file makes the rig first, unless it is there; its files are those beside it. What runs already stays"
                    + " as it is. The exit code is 1 when a member needs attention."
        },
        footer = {
            "",
            "Examples:",
            "  berth rig up ./team/rig.yaml",
            "  berth rig up openshell-example --seat team-worker@openshell-example"
        })
final class RigUpCommand extends SeatCommand {
    /** Members start one after the other, each within a minute. Source: environments.md, launch; 30 s for its identity. */
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    @Parameters(paramLabel = "FILE|RIG", description = "A rig file, YAML or JSON; or a rig's name or id.")
    private String rig;

    @Option(names = "--seat", paramLabel = "SEAT", description = "Only this seat; repeatable.")
    private List<String> seats = List.of();

    RigUpCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        seats.forEach(each -> seat("--seat", each));
        Path file = Path.of(rig);
        JsonObject found = Files.isRegularFile(file) ? Rigs.of(api(), file) : Rigs.named(api(), rig);
        String name = Json.text(found, "name");
        JsonObjectBuilder body = Json.object();
        if (!seats.isEmpty()) {
            body.add("seats", Json.array(seats));
        }
        JsonObject answer = api().call(Call.post(Rigs.path(found, "/up"), body.build())
                        .as(sender(name))
                        .waiting("Starting the members of " + Tables.safe(name))
                        .within(PATIENCE))
                .body();
        List<JsonObject> nodes = Json.objects(answer, "nodes");
        JsonObject whole = Json.object()
                .add("rigId", Json.text(found, "rigId"))
                .add("name", name)
                .add("nodes", answer.getOrDefault("nodes", JsonValue.EMPTY_JSON_ARRAY))
                .build();
        print(whole, () -> show(nodes));
        return nodes.stream().allMatch(RigUpCommand::up) ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private static boolean up(JsonObject node) {
        return "up".equals(Json.text(node, "status"));
    }

    private void show(List<JsonObject> nodes) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject node : nodes) {
            rows.add(Attempts.row(
                    Json.text(node, "seat"),
                    Json.text(node, "runtime"),
                    up(node) ? "up" : "attention",
                    runsAs(node),
                    Json.text(node, "generation"),
                    Json.text(node, "code")));
        }
        tables().print(List.of("SEAT", "RUNTIME", "STATUS", "RUNS AS", "GENERATION", "WHY"), rows);
        nodes.forEach(this::explain);
    }

    /** The environment, or the attempt, that the member runs in. */
    private static String runsAs(JsonObject node) {
        String binding = Json.text(node, "bindingId");
        return binding == null ? Json.text(node, "attemptId") : binding;
    }

    private void explain(JsonObject node) {
        if (up(node)) {
            text().println();
            String attempt = Json.text(node, "attemptId");
            if (attempt == null) {
                text().println(Tables.safe(Json.text(node, "seat")) + " is up. Join its terminal:");
                text().println("  berth environment connect " + Tables.safe(Json.text(node, "bindingId")));
            } else {
                text().println(Tables.safe(Json.text(node, "seat")) + " is up. See how it is doing:");
                text().println("  berth show " + Tables.safe(attempt));
            }
            if (node.get("warnings") instanceof JsonArray warnings) {
                warnings.forEach(each -> text().println("  " + Tables.safe(Json.plain(each))));
            }
            return;
        }
        text().println();
        text().println(Tables.safe(Json.text(node, "seat")) + " needs attention: "
                + Tables.safe(Json.text(node, "error")));
        String next = next(node);
        if (next != null) {
            text().println("  " + Tables.safe(next));
        }
    }

    private static String next(JsonObject node) {
        String code = Json.text(node, "code");
        if ("environment_binding_missing".equals(code)) {
            return "berth environment create BINDING --seat " + Json.text(node, "seat")
                    + " --image … --provider … --policy …";
        }
        return code == null ? null : Advice.of(code);
    }
}
