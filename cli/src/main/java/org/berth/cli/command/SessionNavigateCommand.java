package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "navigate",
        description = {
            "Take a session to one of its entries; the next one is put after it.",
            "Going back stops the running jobs that began after that entry. Files stay as they are."
        },
        footer = {"", "Examples:", "  berth session navigate 4f0c e12", "  berth session navigate 4f0c --root"})
final class SessionNavigateCommand extends SessionCommand {
    @Parameters(index = "1", paramLabel = "ENTRY", arity = "0..1", description = "The entry's id.")
    private String entry;

    @Option(names = "--root", description = "Before the first entry.")
    private boolean root;

    SessionNavigateCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject body = Sessions.target(entry, root);
        JsonObject answer =
                post("/navigate", body, "Going there", budget(get("")).plus(Sessions.MARGIN));
        return print(answer, () -> {
            String head = Json.text(answer, "head");
            text().println(
                            head == null
                                    ? "The session stands before its first entry."
                                    : "The session stands at " + Tables.safe(head) + ".");
            Sessions.stopped(answer).forEach(this::note);
        });
    }
}
