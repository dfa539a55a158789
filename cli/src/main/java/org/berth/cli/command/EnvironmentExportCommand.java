package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.nio.file.Path;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Call;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "export",
        description = {
            "Fetch a verified JSON artifact of a work item out of an environment.",
            "Only the item's owner or the seat that gave it may. The item stays open."
        },
        footer = {
            "",
            "Examples:",
            "  berth environment export worker-one --request request.json",
            "",
            "The request: {operationId, taskId, generation, path, sha256, bytes, schema: {format: json-object/v1, fields,",
            "required}, context}. The same operation again answers the same receipt."
        })
final class EnvironmentExportCommand extends SeatCommand {
    @Parameters(paramLabel = "BINDING", description = "The binding's id.")
    private String bindingId;

    @Option(names = "--request", required = true, paramLabel = "FILE", description = "A JSON file with what is wanted.")
    private Path request;

    EnvironmentExportCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject asked = Environments.request(request);
        JsonObject binding = Environments.read(api(), bindingId);
        return describe(api().call(Call.post(Environments.path(bindingId, "/export"), asked)
                        .as(sender(Environments.rigOf(binding)))
                        .waiting("Fetching the artifact"))
                .body());
    }
}
