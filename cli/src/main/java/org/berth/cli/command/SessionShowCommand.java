package org.berth.cli.command;

import org.berth.cli.Surroundings;
import picocli.CommandLine.Command;

@Command(
        name = "show",
        description = "Show one session: where, how its outputs are bounded, and what came of it.",
        footer = {"", "Examples:", "  berth session show 4f0c"})
final class SessionShowCommand extends SessionCommand {
    SessionShowCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        return describe(get(""));
    }
}
