package org.berth.cli.command;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.berth.cli.ExitCodes;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "recreate",
        description = {
            "Make compute anew for a saved conversation, once its predecessor is proven gone.",
            "It launches nothing: `berth rig restore` does. Host, workspace and image stay; name, provider and policy may be"
                    + " others. The exit code is 1 while it is not confirmed; repeat the same command then."
        },
        footer = {
            "",
            "Examples:",
            "  berth environment recreate worker-one --checkpoint checkpoint-one",
            "  berth environment recreate worker-one --checkpoint checkpoint-one --name worker-two --provider model",
            "  berth environment recreate worker-one --request recreate.json",
            "",
            "The request: {operationId, generation, checkpointId, resumeType, resumeToken, placement: {gateway, workspace,",
            "name, image, provider, policy}}; generation is the checkpoint's."
        })
final class EnvironmentRecreateCommand extends SeatCommand {
    /** Source: the reference's CLI, recreate. */
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    @Parameters(paramLabel = "BINDING", description = "The binding's id.")
    private String bindingId;

    @Option(names = "--request", paramLabel = "FILE", description = "A JSON file with the whole request.")
    private Path request;

    @Option(names = "--checkpoint", paramLabel = "ID", description = "The checkpoint whose conversation is to go on.")
    private String checkpoint;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The successor's name; the predecessor's when left out.")
    private String name;

    @Option(
            names = "--provider",
            paramLabel = "REF",
            description = "The successor's provider; the predecessor's when left out.")
    private String provider;

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "The successor's policy file; the predecessor's when left out.")
    private Path policy;

    @Option(
            names = "--operation",
            paramLabel = "ID",
            description = "The effect's id; made of the checkpoint's when left out.")
    private String operation;

    EnvironmentRecreateCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        if ((request == null) == (checkpoint == null)) {
            throw Failure.usage("Give either --checkpoint or --request.");
        }
        JsonObject binding = Environments.read(api(), bindingId);
        JsonObject asked = request == null ? selected(binding) : Environments.request(request);
        JsonObject answer = api().call(Call.post(Environments.path(bindingId, "/recreate"), asked)
                        .as(sender(Environments.rigOf(binding)))
                        .waiting("Making " + bindingId + " anew")
                        .within(PATIENCE))
                .body();
        boolean confirmed = "confirmed".equals(Json.text(answer, "state"));
        print(answer, () -> {
            tables().describe(answer);
            text().println(
                            confirmed
                                    ? "Next: berth rig restore SNAPSHOT, which goes on with this conversation."
                                    : "Not confirmed: repeat the same command; it looks before it acts.");
        });
        return confirmed ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private JsonObject selected(JsonObject binding) {
        JsonObject receipt = receipt(binding);
        JsonObjectBuilder placement =
                Json.object(Json.object(binding, "placement")).remove("policySha256");
        Json.add(placement, "name", name);
        Json.add(placement, "provider", provider);
        Json.add(
                placement,
                "policy",
                policy == null ? null : policy.toAbsolutePath().normalize().toString());
        return Json.object()
                .add(
                        "operationId",
                        operation == null
                                ? "recreate-" + checkpoint
                                : Environments.identifier("--operation", operation))
                .add("generation", Json.text(receipt, "generation"))
                .add("checkpointId", checkpoint)
                .add("resumeType", Json.text(receipt, "nativeType"))
                .add("resumeToken", Json.text(receipt, "nativeId"))
                .add("placement", placement)
                .build();
    }

    private JsonObject receipt(JsonObject binding) {
        Optional<JsonObject> found = Json.objects(binding, "operations").stream()
                .filter(each -> checkpoint.equals(Json.text(each, "operationId")))
                .map(each -> Json.object(each, "receipt"))
                .filter(each -> Json.text(each, "nativeId") != null)
                .findFirst();
        return found.orElseThrow(() -> Failure.failed(
                "The binding " + bindingId + " has no recorded checkpoint " + checkpoint + ".",
                "`berth environment inspect " + ApiClient.escape(bindingId) + "` lists its operations."));
    }
}
