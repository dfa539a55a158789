package org.berth.cli.command;

import org.berth.cli.Surroundings;
import picocli.CommandLine.Command;

@Command(
        name = "capabilities",
        description = "Show what this host can prove, and its figures.",
        footer = {"", "Examples:", "  berth capabilities"})
final class CapabilitiesCommand extends BerthCommand {
    CapabilitiesCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        return describe(api().get("/api/placement/capabilities"));
    }
}
