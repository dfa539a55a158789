package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import org.berth.cli.output.Times;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "ls",
        description = "List grants that hold; with --all also those that ended.",
        footer = {
            "",
            "Examples:",
            "  berth grant ls",
            "  berth grant ls --owner alice --all",
            "  berth grant ls --kind work --seat team-worker@openshell-example"
        })
final class GrantLsCommand extends BerthCommand {
    @Option(
            names = "--kind",
            paramLabel = "KIND",
            defaultValue = "resource",
            description = "resource (default), work or activity.")
    private String kind;

    @Option(names = "--owner", paramLabel = "OWNER", description = "resource: only those of this owner.")
    private String owner;

    @Option(names = "--seat", paramLabel = "SEAT", description = "work: only those of this seat.")
    private String seat;

    @Option(names = "--node", paramLabel = "NODE", description = "activity: only those of this node.")
    private String nodeId;

    @Option(names = "--all", description = "Revoked and expired ones too.")
    private boolean all;

    GrantLsCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        GrantKind of = GrantKind.of(kind);
        String part = switch (of) {
            case RESOURCE -> ApiClient.query("owner", owner);
            case WORK -> ApiClient.query("seat", seat);
            case ACTIVITY -> ApiClient.query("nodeId", nodeId);
        };
        JsonObject answer = api().get(of.path() + "?all=" + all + part);
        List<JsonObject> grants = Json.objects(answer, "grants");
        return print(answer, () -> {
            switch (of) {
                case RESOURCE -> resource(grants);
                case WORK -> work(grants);
                case ACTIVITY -> activity(grants);
            }
        });
    }

    private void resource(List<JsonObject> grants) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject grant : grants) {
            rows.add(Attempts.row(
                    Json.text(grant, "grant_ref"),
                    Json.text(grant, "subject"),
                    Json.text(grant, "root"),
                    Json.text(grant, "subpath"),
                    Json.text(grant, "access"),
                    Json.text(grant, "purpose"),
                    Times.local(Json.text(grant, "expires_at")),
                    Times.local(Json.text(grant, "revoked_at"))));
        }
        tables().print(List.of("GRANT", "SUBJECT", "ROOT", "SUBPATH", "ACCESS", "PURPOSE", "EXPIRES", "REVOKED"), rows);
    }

    private void work(List<JsonObject> grants) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject grant : grants) {
            rows.add(Attempts.row(
                    Json.text(grant, "name"),
                    Json.text(grant, "seat"),
                    String.join(" ", Json.texts(grant, "rigs")),
                    Json.text(grant, "issuedBy"),
                    Times.local(Json.text(grant, "issuedAt")),
                    Times.local(Json.text(grant, "revokedAt")),
                    Json.text(grant, "revokedReason")));
        }
        tables().print(List.of("NAME", "SEAT", "RIGS", "ISSUED BY", "ISSUED", "REVOKED", "WHY"), rows);
    }

    private void activity(List<JsonObject> grants) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject grant : grants) {
            rows.add(Attempts.row(
                    Json.text(grant, "grantId"),
                    Json.text(grant, "nodeId"),
                    Json.text(grant, "generation"),
                    Json.text(grant, "issuedBy"),
                    Times.local(Json.text(grant, "issuedAt")),
                    Times.local(Json.text(grant, "revokedAt")),
                    Json.text(grant, "revokedReason")));
        }
        tables().print(List.of("GRANT", "NODE", "GENERATION", "ISSUED BY", "ISSUED", "REVOKED", "WHY"), rows);
    }
}
