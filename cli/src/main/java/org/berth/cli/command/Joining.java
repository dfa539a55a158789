package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.launch.Run;
import org.berth.cli.output.Progress;
import org.berth.cli.stream.Ending;
import org.berth.cli.stream.StreamClient;
import org.berth.cli.terminal.Signals;
import org.berth.cli.terminal.Terminal;

/** Follows a running attempt: its terminal joined to this one when both are, else its output. */
final class Joining {
    private final Surroundings surroundings;
    private final ApiClient api;
    private final boolean json;

    Joining(Surroundings surroundings, ApiClient api, boolean json) {
        this.surroundings = surroundings;
        this.api = api;
        this.json = json;
    }

    /**
     * To its end, or until the person leaves.
     *
     * @param whenLeft what is done and said then
     * @throws org.berth.cli.api.UnreachableException after a lasting outage
     */
    Ending follow(String attemptId, Runnable whenLeft) {
        JsonObject attempt = Attempts.read(api, attemptId);
        boolean window = Attempts.window(attempt);
        boolean joined = window && surroundings.inTerminal() && surroundings.outTerminal() && !json;
        StreamClient[] holder = new StreamClient[1];
        StreamPrinter printer = new StreamPrinter(surroundings, json, () -> holder[0].leave());
        Progress.Source progress = joined ? Progress.Source.none() : Progress.Source.of(surroundings);
        try (StreamClient stream = Run.attach(api, attemptId, window, printer, Run.patience(progress))) {
            holder[0] = stream;
            Signals.handle("INT", stream::leave);
            stream.connect();
            Ending ending = joined ? inTerminal(stream) : stream.follow();
            printer.ended(attemptId, ending);
            if (ending instanceof Ending.Left) {
                whenLeft.run();
            } else {
                Following.explain(surroundings.err(), surroundings.errTerminal(), attemptId, stream, ending);
            }
            return ending;
        }
    }

    private static Ending inTerminal(StreamClient stream) {
        try (Terminal terminal = Terminal.open()) {
            new WindowSession(terminal, stream).begin();
            return stream.follow();
        }
    }
}
