package org.berth.cli.command;

import jakarta.json.JsonObjectBuilder;
import org.berth.cli.Surroundings;
import picocli.CommandLine.Command;

@Command(
        name = "create",
        description = {
            "Make a seat's environment; nothing is launched.",
            "The same command again looks for what it made and goes on from there. Exit code 1 also when the provider's"
                    + " answer was lost: repeat the command then."
        },
        footer = {
            "",
            "Examples:",
            "  berth environment create worker-one --seat team-worker@openshell-example --agent /usr/local/bin/claude"
                    + " --provider model --policy ./team/policy.yaml",
            "  berth environment create worker-one --seat team-worker@openshell-example"
                    + " --gateway podman:/run/user/1000/podman/podman.sock --image worker@sha256:… --provider model"
                    + " --policy ./team/policy.yaml"
        })
final class EnvironmentCreateCommand extends PlaceCommand {
    EnvironmentCreateCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    String verb() {
        return "create";
    }

    @Override
    void more(JsonObjectBuilder body) {}
}
