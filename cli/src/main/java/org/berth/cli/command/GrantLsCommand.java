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
        footer = {"", "Examples:", "  berth grant ls", "  berth grant ls --owner alice --all"})
final class GrantLsCommand extends BerthCommand {
    @Option(names = "--owner", paramLabel = "OWNER", description = "Only those of this owner.")
    private String owner;

    @Option(names = "--all", description = "Revoked and expired ones too.")
    private boolean all;

    GrantLsCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject answer = api().get("/api/placement/grants?all=" + all
                + (owner == null ? "" : "&owner=" + ApiClient.escape(owner)));
        return print(answer, () -> {
            List<List<String>> rows = new ArrayList<>();
            for (JsonObject grant : Json.objects(answer, "grants")) {
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
            tables().print(
                            List.of("GRANT", "SUBJECT", "ROOT", "SUBPATH", "ACCESS", "PURPOSE", "EXPIRES", "REVOKED"),
                            rows);
        });
    }
}
