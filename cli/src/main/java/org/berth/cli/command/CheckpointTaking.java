package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.util.UUID;
import org.berth.cli.ExitCodes;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What takes a checkpoint: the command itself in the reference's form, and {@code take}. */
abstract class CheckpointTaking extends SeatCommand {
    private static final int ACCEPTED = 202;

    @Parameters(paramLabel = "BINDING", arity = "0..1", description = "The binding's id.")
    private String bindingId;

    @Option(names = "--generation", paramLabel = "G", description = "The launch; the current one when left out.")
    private String generation;

    @Option(
            names = "--operation",
            paramLabel = "ID",
            description =
                    "The checkpoint's own id; a new one when left out. The same id again answers the same checkpoint,"
                            + " joins the capture that runs, or goes on with the one that failed.")
    private String operation;

    CheckpointTaking(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        if (bindingId == null) {
            throw Failure.usage("Name the BINDING whose conversation is kept.");
        }
        JsonObject binding = Environments.read(api(), bindingId);
        String selected = generation == null
                ? Json.text(binding, "generation")
                : Environments.identifier("--generation", generation);
        if (selected == null) {
            throw Failure.failed(
                    "Nothing was launched in " + bindingId + ", so there is no conversation to keep.", null);
        }
        String id = operation == null
                ? "checkpoint-" + UUID.randomUUID()
                : Environments.identifier("--operation", operation);
        JsonObject body =
                Json.object().add("operationId", id).add("generation", selected).build();
        ApiClient.Reply reply = api().call(Call.post(Environments.path(bindingId, "/checkpoint"), body)
                .as(sender(Environments.rigOf(binding)))
                .waiting("Keeping the conversation of " + bindingId + " as " + id));
        if (reply.status() == ACCEPTED) {
            describe(reply.body());
            note("The capture goes on. Ask again with --operation " + id
                    + ", or see it with berth environment checkpoint" + " show " + id + ".");
            return ExitCodes.FAILED;
        }
        return print(reply.body(), () -> Checkpoints.receipt(text(), reply.body()));
    }
}
