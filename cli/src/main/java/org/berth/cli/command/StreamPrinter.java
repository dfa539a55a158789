package org.berth.cli.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.stream.Ending;
import org.berth.cli.stream.OutputSink;
import org.berth.cli.stream.OutputStreamName;

/**
 * Where followed output goes: stdout to stdout and stderr to stderr as it is; with {@code --json} one object a line to
 * stdout, bytes as base64.
 */
final class StreamPrinter implements OutputSink {
    private final Surroundings surroundings;
    private final boolean json;
    private final Runnable readerGone;

    /** @param readerGone runs once when nobody reads the output any more */
    StreamPrinter(Surroundings surroundings, boolean json, Runnable readerGone) {
        this.surroundings = surroundings;
        this.json = json;
        this.readerGone = readerGone;
    }

    @Override
    public void output(OutputStreamName stream, long sequence, byte[] data) throws IOException {
        if (json) {
            line(Json.object()
                    .add("type", "output")
                    .add("stream", stream.wire())
                    .add("sequence", sequence)
                    .add("data", Base64.getEncoder().encodeToString(data))
                    .build()
                    .toString());
        } else if (stream == OutputStreamName.STDERR) {
            surroundings.err().write(data);
            surroundings.err().flush();
        } else {
            surroundings.out().write(data);
        }
    }

    @Override
    public void readerGone() {
        readerGone.run();
    }

    /** With {@code --json}, the last line: how the command ended. */
    void ended(String attemptId, Ending ending) {
        if (!json) {
            return;
        }
        var object = Json.object().add("attempt_id", attemptId);
        switch (ending) {
            case Ending.Exited exited -> object.add("type", "exit").add("code", exited.code());
            case Ending.Signalled signalled -> object.add("type", "exit").add("signal", signalled.signal());
            case Ending.Unknown unknown -> object.add("type", "exit").add("uncertain", true);
            case Ending.Fenced fenced -> object.add("type", "fenced");
            case Ending.Left left -> object.add("type", "left");
        }
        try {
            line(object.build().toString());
        } catch (IOException e) {
            // nobody reads; the exit code tells
        }
    }

    private void line(String text) throws IOException {
        surroundings.out().write((text + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
