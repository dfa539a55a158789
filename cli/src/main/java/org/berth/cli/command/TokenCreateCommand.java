package org.berth.cli.command;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.util.List;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "create",
        description = "Create a bearer token. It is shown this once.",
        footer = {
            "",
            "Examples:",
            "  berth token create --name laptop --owner alice --role owner",
            "  berth token create --name ci --owner ci --role owner --expires-in 30d --json",
            "  berth token create --name worker --owner owner --seat worker@rig"
        })
final class TokenCreateCommand extends BerthCommand {
    @Option(names = "--name", required = true, paramLabel = "NAME", description = "What it is for.")
    private String name;

    @Option(names = "--owner", required = true, paramLabel = "OWNER", description = "Whom it stands for.")
    private String owner;

    @Option(names = "--role", paramLabel = "ROLE", description = "A role that it has; repeatable. Default: owner.")
    private List<String> roles;

    @Option(
            names = "--seat",
            paramLabel = "SEAT",
            description = "The one seat, member@rig, that it names; its role is then seat.")
    private String seat;

    @Option(names = "--expires-in", paramLabel = "DURATION", description = "For how long, such as 30d; else for ever.")
    private String expiresIn;

    TokenCreateCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObjectBuilder body = Json.object().add("name", name).add("owner_id", owner);
        if (roles != null) {
            body.add("roles", Json.array(roles));
        }
        if (seat != null) {
            body.add("seat", seat);
        }
        GrantIssueCommand.addExpiry(body, expiresIn);
        JsonObject token = api().post("/api/tokens", body.build());
        return describe(token);
    }
}
