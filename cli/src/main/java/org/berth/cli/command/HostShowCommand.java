package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import picocli.CommandLine.Command;

@Command(
        name = "show",
        description = "Show the host policy in force, without secrets.",
        footer = {"", "Examples:", "  berth host show", "  berth host show --json"})
final class HostShowCommand extends BerthCommand {
    HostShowCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject host = api().get("/api/placement/host");
        return print(host, () -> HostPolicyTables.print(tables(), host));
    }
}
