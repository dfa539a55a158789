package org.berth.cli.command;

import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.UnreachableException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "attach",
        description = {
            "Follow a running attempt.",
            "Its terminal when it has one (Ctrl-] leaves it running), else its output (^C leaves it running). Whoever"
                    + " followed before is replaced."
        },
        footer = {"", "Examples:", "  berth attach run-build"})
final class AttachCommand extends BerthCommand {
    @Parameters(paramLabel = "ATTEMPT", description = "The attempt's complete id.")
    private String attemptId;

    AttachCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        try {
            return new Joining(surroundings, api(), json)
                    .follow(
                            attemptId,
                            () -> note("the command goes on; come back with `berth attach " + attemptId + "`"))
                    .exitCode();
        } catch (UnreachableException e) {
            throw Failure.unreachable(
                    "The server went away and did not come back. The command goes on.",
                    "Follow it again with `berth attach " + attemptId + "`.");
        }
    }
}
