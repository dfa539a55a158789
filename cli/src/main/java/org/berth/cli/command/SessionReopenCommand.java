package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "reopen",
        description = {
            "Open a session again, with its entries and its state.",
            "It works in the directory that it had, unless --cwd names another."
        },
        footer = {"", "Examples:", "  berth session reopen 4f0c", "  berth session reopen 4f0c --cwd ./moved"})
final class SessionReopenCommand extends SessionCommand {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    @Option(names = "--cwd", paramLabel = "DIR", description = "Its new working directory.")
    private Path directory;

    SessionReopenCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject body = directory == null
                ? Json.object().build()
                : Json.object().add("cwd", Sessions.directory(directory)).build();
        return describe(post("/reopen", body, "Opening the session", PATIENCE));
    }
}
