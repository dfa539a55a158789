package org.berth.cli.command;

import jakarta.json.JsonObjectBuilder;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "attach",
        description = {
            "Bind an environment that exists to a seat.",
            "It must be exactly the one that is named. It stays its owner's: Berth only closes its own windows on it."
        },
        footer = {
            "",
            "Examples:",
            "  berth environment attach worker-two --seat team-worker@openshell-example --gateway main"
                    + " --workspace default --name worker-two --image worker@sha256:… --provider model"
                    + " --policy ./team/policy.yaml --resource-id 3f1c"
        })
final class EnvironmentAttachCommand extends PlaceCommand {
    @Option(
            names = "--resource-id",
            required = true,
            paramLabel = "ID",
            description = "The provider's immutable id of it.")
    private String resourceId;

    @Option(names = "--fingerprint", paramLabel = "TEXT", description = "The fingerprint that it must have.")
    private String fingerprint;

    EnvironmentAttachCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    String verb() {
        return "attach";
    }

    @Override
    void more(JsonObjectBuilder body) {
        body.add("resourceId", resourceId);
        Json.add(body, "fingerprint", fingerprint);
    }
}
