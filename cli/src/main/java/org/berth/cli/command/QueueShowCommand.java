package org.berth.cli.command;

import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import java.util.List;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Show an item and everything that happened to it.",
        footer = {"", "Examples:", "  berth queue show report-1"})
final class QueueShowCommand extends BerthCommand {
    @Parameters(paramLabel = "ITEM", description = "The item's id.")
    private String item;

    QueueShowCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject found = api().get(Queue.path(item, ""));
        List<JsonObject> transitions = Queue.transitions(api(), item);
        JsonArrayBuilder list = Json.array();
        transitions.forEach(list::add);
        return print(Json.object(found).add("transitions", list).build(), () -> {
            tables().describe(found);
            text().println();
            Queue.transitionsTable(tables(), transitions);
        });
    }
}
