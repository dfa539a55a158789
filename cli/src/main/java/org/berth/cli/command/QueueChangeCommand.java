package org.berth.cli.command;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One change of one item, under the sender's seat. */
abstract class QueueChangeCommand extends SeatCommand {
    @Parameters(paramLabel = "ITEM", description = "The item's id.")
    private String item;

    @Option(names = "--note", paramLabel = "TEXT", description = "What the record of this step says.")
    private String note;

    QueueChangeCommand(Surroundings surroundings) {
        super(surroundings);
    }

    /** The last part of the route. */
    abstract String action();

    /** The request's body. */
    abstract JsonObject change();

    final JsonObject withNote(JsonObjectBuilder body) {
        Json.add(body, "transitionNote", note);
        return body.build();
    }

    @Override
    public Integer call() {
        JsonObject body = change();
        JsonObject answer = api().call(
                        Call.post(Queue.path(item, "/" + action()), body).as(sender(Queue.rigOf(api(), item))))
                .body();
        return describe(answer);
    }
}
