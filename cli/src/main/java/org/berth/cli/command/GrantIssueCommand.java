package org.berth.cli.command;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.nio.file.Path;
import java.util.List;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.output.Times;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "issue",
        description = {
            "Give a right: to a directory (--kind resource), to a rig's work (work), to report activity (activity).",
            "The token of a work or an activity grant is shown this once. A seat has one activity grant, a name one work"
                    + " grant: a new one takes the place of the old."
        },
        footer = {
            "",
            "Examples:",
            "  berth grant issue --subject owner --access write /srv/work",
            "  berth grant issue --subject alice --access read --purpose cache --expires-in 8h /srv/cache",
            "  berth grant issue --kind work --name worker-tools --seat team-worker@openshell-example",
            "  berth grant issue --kind activity --seat team-worker@openshell-example --json"
        })
final class GrantIssueCommand extends BerthCommand {
    @Parameters(
            paramLabel = "ROOT",
            arity = "0..1",
            description = "resource: the directory; a relative path is taken from here.")
    private Path root;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            defaultValue = "resource",
            description = "resource (default), work or activity.")
    private String kind;

    @Option(names = "--name", paramLabel = "NAME", description = "work: the grant's name.")
    private String name;

    @Option(names = "--seat", paramLabel = "SEAT", description = "work, activity: the seat that holds it.")
    private String seat;

    @Option(
            names = "--rig",
            paramLabel = "RIG",
            description = "work: a rig that it reaches, the seat's own; repeatable.")
    private List<String> rigs;

    @Option(names = "--generation", paramLabel = "G", description = "activity: the launch; the current when left out.")
    private String generation;

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
        GrantKind of = GrantKind.of(kind);
        JsonObject body = switch (of) {
            case RESOURCE -> resource();
            case WORK -> work();
            case ACTIVITY -> activity();
        };
        return describe(api().post(of.path(), body));
    }

    private JsonObject resource() {
        if (root == null) {
            throw Failure.usage("A resource grant needs the directory, ROOT.");
        }
        JsonObjectBuilder body = Json.object()
                .add("subject", subject != null ? subject : Json.text(api().get("/api/whoami"), "owner_id"))
                .add("root", root.toAbsolutePath().normalize().toString())
                .add("subpath", subpath)
                .add("access", access)
                .add("purpose", purpose);
        Json.add(body, "attempt_id", attemptId);
        addExpiry(body, expiresIn);
        return body.build();
    }

    private JsonObject work() {
        if (name == null || seat == null || root != null) {
            throw Failure.usage("A work grant needs --name and --seat, and no directory.");
        }
        JsonObjectBuilder body = Json.object().add("name", name).add("seat", SeatCommand.seat("--seat", seat));
        if (rigs != null) {
            body.add("rigs", Json.array(rigs));
        }
        return body.build();
    }

    private JsonObject activity() {
        if (seat == null || root != null) {
            throw Failure.usage("An activity grant needs --seat, and no directory.");
        }
        JsonObjectBuilder body = Json.object().add("seat", SeatCommand.seat("--seat", seat));
        Json.add(body, "generation", generation);
        return body.build();
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
