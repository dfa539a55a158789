package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.output.Times;
import picocli.CommandLine.Command;

@Command(
        name = "ls",
        description = "List tokens, without their secrets.",
        footer = {"", "Examples:", "  berth token ls"})
final class TokenLsCommand extends BerthCommand {
    TokenLsCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject answer = api().get("/api/tokens");
        return print(answer, () -> {
            List<List<String>> rows = new ArrayList<>();
            for (JsonObject token : Json.objects(answer, "tokens")) {
                rows.add(Attempts.row(
                        Json.text(token, "token_id"),
                        Json.text(token, "name"),
                        Json.text(token, "owner_id"),
                        Json.text(token, "roles"),
                        Times.local(Json.text(token, "created_at")),
                        Times.local(Json.text(token, "expires_at")),
                        Times.local(Json.text(token, "revoked_at"))));
            }
            tables().print(List.of("TOKEN", "NAME", "OWNER", "ROLES", "CREATED", "EXPIRES", "REVOKED"), rows);
        });
    }
}
