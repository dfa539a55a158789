package org.berth.cli.command;

import org.berth.cli.Surroundings;
import picocli.CommandLine.Command;

@Command(
        name = "whoami",
        description = "Show who the server takes you for.",
        footer = {"", "Examples:", "  berth whoami"})
final class WhoamiCommand extends BerthCommand {
    WhoamiCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        return describe(api().get("/api/whoami"));
    }
}
