package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "fork",
        description = {
            "Make a new session of what a session was at one of its entries.",
            "Running jobs of the session that began after that entry are stopped."
        },
        footer = {"", "Examples:", "  berth session fork 4f0c e12", "  berth session fork 4f0c --root"})
final class SessionForkCommand extends SessionCommand {
    @Parameters(index = "1", paramLabel = "ENTRY", arity = "0..1", description = "The entry's id.")
    private String entry;

    @Option(names = "--root", description = "Without any entry.")
    private boolean root;

    SessionForkCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject body = Sessions.target(entry, root);
        JsonObject answer =
                post("/fork", body, "Forking the session", budget(get("")).plus(Sessions.MARGIN));
        return print(answer, () -> {
            tables().describe(Json.object(answer, "session"));
            Sessions.stopped(answer).forEach(this::note);
        });
    }
}
