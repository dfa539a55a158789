package org.berth.cli.command;

import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import org.berth.cli.output.Times;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "snapshots",
        description = {
            "List a rig's snapshots, newest first; show or remove one.",
            "A checkpoint that a snapshot names is not removed before the snapshot."
        },
        footer = {
            "",
            "Examples:",
            "  berth rig snapshots openshell-example",
            "  berth rig snapshots openshell-example --show 0b9d",
            "  berth rig snapshots openshell-example --rm 0b9d"
        })
final class RigSnapshotsCommand extends SeatCommand {
    @Parameters(paramLabel = "RIG", description = "Its name or its id.")
    private String rig;

    @Option(names = "--show", paramLabel = "ID", description = "Show this one whole.")
    private String shown;

    @Option(names = "--rm", paramLabel = "ID", description = "Remove this one; checkpoints stay.")
    private String removed;

    RigSnapshotsCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        if (shown != null && removed != null) {
            throw Failure.usage("Give --show or --rm, not both.");
        }
        JsonObject found = Rigs.named(api(), rig);
        if (shown != null) {
            JsonObject one = api().get(Snapshots.path(shown, ""));
            return print(one, () -> Snapshots.show(text(), tables(), one));
        }
        if (removed != null) {
            JsonObject answer = api().call(
                            Call.delete(Snapshots.path(removed, "")).as(sender(Json.text(found, "name"))))
                    .body();
            return print(answer, () -> text().println("The snapshot " + Tables.safe(removed) + " is removed."));
        }
        List<JsonObject> all = Snapshots.all(api(), found);
        JsonArrayBuilder list = Json.array();
        all.forEach(list::add);
        return print(Json.object().add("snapshots", list).build(), () -> {
            List<List<String>> rows = new ArrayList<>();
            for (JsonObject each : all) {
                rows.add(Attempts.row(
                        Json.text(each, "id"),
                        Times.local(Json.text(each, "createdAt")),
                        Json.text(each, "createdBy"),
                        Json.text(each, "kind")));
            }
            tables().print(List.of("SNAPSHOT", "TAKEN", "BY", "KIND"), rows);
        });
    }
}
