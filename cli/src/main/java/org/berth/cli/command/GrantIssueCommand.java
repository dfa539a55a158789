package org.berth.cli.command;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.nio.file.Path;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.output.Times;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "issue",
        description = "Give an owner the right to a directory.",
        footer = {
            "",
            "Examples:",
            "  berth grant issue --subject owner --access write /srv/work",
            "  berth grant issue --subject alice --access read --purpose cache --expires-in 8h /srv/cache"
        })
final class GrantIssueCommand extends BerthCommand {
    @Parameters(paramLabel = "ROOT", description = "The directory; a relative path is taken from here.")
    private Path root;

    @Option(names = "--subject", paramLabel = "OWNER", description = "Whom it serves; you, when left out.")
    private String subject;

    @Option(names = "--subpath", paramLabel = "PATH", defaultValue = "", description = "Only this below the root.")
    private String subpath;

    @Option(names = "--access", paramLabel = "ACCESS", defaultValue = "read", description = "read (default) or write.")
    private String access;

    @Option(
            names = "--purpose",
            paramLabel = "PURPOSE",
            defaultValue = "project",
            description = "project (default), output, cache or session.")
    private String purpose;

    @Option(names = "--attempt", paramLabel = "ATTEMPT", description = "Only for this attempt.")
    private String attemptId;

    @Option(names = "--expires-in", paramLabel = "DURATION", description = "For how long, such as 8h; else for ever.")
    private String expiresIn;

    GrantIssueCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObjectBuilder body = Json.object()
                .add("subject", subject != null ? subject : Json.text(api().get("/api/whoami"), "owner_id"))
                .add("root", root.toAbsolutePath().normalize().toString())
                .add("subpath", subpath)
                .add("access", access)
                .add("purpose", purpose);
        if (attemptId != null) {
            body.add("attempt_id", attemptId);
        }
        addExpiry(body, expiresIn);
        JsonObject grant = api().post("/api/placement/grants", body.build());
        return describe(grant);
    }

    /** Adds {@code expires_in}, seconds, when {@code text} is a duration. */
    static void addExpiry(JsonObjectBuilder body, String text) {
        if (text != null) {
            try {
                body.add("expires_in", Math.max(1, Times.duration(text).toSeconds()));
            } catch (IllegalArgumentException e) {
                throw Failure.usage("--expires-in: " + e.getMessage());
            }
        }
    }
}
