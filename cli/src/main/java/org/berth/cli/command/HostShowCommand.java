package org.berth.cli.command;

import org.berth.cli.Surroundings;
import picocli.CommandLine.Command;

@Command(
        name = "show",
        description = "Show the host policy in force, without secrets.",
        footer = {"", "Examples:", "  berth host show"})
final class HostShowCommand extends BerthCommand {
    HostShowCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        return describe(api().get("/api/placement/host"));
    }
}
