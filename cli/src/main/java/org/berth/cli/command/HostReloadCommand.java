package org.berth.cli.command;

import org.berth.cli.Surroundings;
import picocli.CommandLine.Command;

@Command(
        name = "reload",
        description = "Read host.yaml again; a faulty file changes nothing.",
        footer = {"", "Examples:", "  berth host reload"})
final class HostReloadCommand extends BerthCommand {
    HostReloadCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        return describe(api().post("/api/placement/host/reload", null));
    }
}
