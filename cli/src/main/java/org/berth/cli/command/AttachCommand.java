package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.UnreachableException;
import org.berth.cli.launch.Run;
import org.berth.cli.output.Progress;
import org.berth.cli.stream.Ending;
import org.berth.cli.stream.StreamClient;
import org.berth.cli.terminal.Signals;
import org.berth.cli.terminal.Terminal;
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
        JsonObject attempt = Attempts.read(api(), attemptId);
        boolean window = Attempts.window(attempt);
        boolean joined = window && surroundings.inTerminal() && surroundings.outTerminal() && !json;
        StreamClient[] holder = new StreamClient[1];
        StreamPrinter printer = new StreamPrinter(surroundings, json, () -> holder[0].leave());
        Progress.Source progress = joined ? Progress.Source.none() : progress();
        try (StreamClient stream = Run.attach(api(), attemptId, window, printer, Run.patience(progress))) {
            holder[0] = stream;
            Signals.handle("INT", stream::leave);
            stream.connect();
            Ending ending = joined ? inTerminal(stream) : stream.follow();
            printer.ended(attemptId, ending);
            Following.explain(surroundings.err(), surroundings.errTerminal(), attemptId, stream, ending);
            return ending.exitCode();
        } catch (UnreachableException e) {
            throw Failure.unreachable(
                    "The server went away and did not come back. The command goes on.",
                    "Follow it again with `berth attach " + attemptId + "`.");
        }
    }

    private static Ending inTerminal(StreamClient stream) {
        try (Terminal terminal = Terminal.open()) {
            new WindowSession(terminal, stream).begin();
            return stream.follow();
        }
    }
}
