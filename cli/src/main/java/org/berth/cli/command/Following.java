package org.berth.cli.command;

import java.io.PrintStream;
import org.berth.cli.output.Tables;
import org.berth.cli.stream.Ending;
import org.berth.cli.stream.StreamClient;

/** What is said after following an attempt, beside its output. */
final class Following {
    private Following() {}

    /** Tells on stderr what the exit code alone would hide. */
    static void explain(PrintStream err, boolean terminal, String attemptId, StreamClient stream, Ending ending) {
        switch (ending) {
            case Ending.Exited exited -> {}
            case Ending.Signalled signalled -> {}
            case Ending.Unknown unknown ->
                say(err, "the command ended and nobody knows how; see `berth evidence " + attemptId + "`");
            case Ending.Fenced fenced -> say(err, "another client follows " + attemptId + " now; the command goes on");
            case Ending.Left left -> say(err, "the command goes on; come back with `berth attach " + attemptId + "`");
        }
        if (stream.missing() > 0) {
            say(err, stream.missing() + " pieces of output were lost; see `berth evidence " + attemptId + "`");
        }
        if (stream.truncated() && terminal) {
            say(err, "the output was closed before its end, because something kept it open after the exit");
        }
    }

    private static void say(PrintStream err, String sentence) {
        err.println("berth: " + Tables.safe(sentence));
    }
}
