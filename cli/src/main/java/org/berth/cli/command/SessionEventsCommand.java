package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.time.Duration;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.api.Patience;
import org.berth.cli.api.ServerEvent;
import org.berth.cli.api.UnreachableException;
import org.berth.cli.launch.Run;
import org.berth.cli.output.Tables;
import picocli.CommandLine.Command;

@Command(
        name = "events",
        description = {
            "Print what happens in a session, one event a line, until it ends.",
            "The first is a snapshot of the running calls and jobs. When the connection breaks, it is made again and begins"
                    + " with a new snapshot. ^C ends the printing."
        },
        footer = {"", "Examples:", "  berth session events 4f0c", "  berth session events 4f0c --json"})
final class SessionEventsCommand extends SessionCommand {
    /** Between the end of one stream and the next. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    SessionEventsCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        Patience patience = Run.patience(progress());
        while (true) {
            try {
                api().events(path("/events"), this::show);
            } catch (UnreachableException e) {
                note("the stream broke off; events may be missing here");
            }
            JsonObject now = patience.outlast(() -> get(""));
            if ("ended".equals(Json.text(now, "state"))) {
                if (!json) {
                    note("the session has ended");
                }
                return 0;
            }
            Patience.sleep(PAUSE);
        }
    }

    private void show(ServerEvent event) {
        if (json) {
            var line = Json.object().add("event", event.name());
            Json.parse(event.data())
                    .ifPresentOrElse(data -> line.add("data", data), () -> line.add("data", event.data()));
            text().println(line.build());
        } else {
            text().println(style().heading(Tables.safe(event.name())) + "  " + Tables.safe(event.data()));
        }
        if (text().checkError()) {
            throw Failure.failed("Nobody reads the output any more.", null);
        }
    }
}
