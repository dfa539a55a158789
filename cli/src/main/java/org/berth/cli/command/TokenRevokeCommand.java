package org.berth.cli.command;

import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "revoke",
        description = "Make a token worthless at once.",
        footer = {"", "Examples:", "  berth token revoke 4f0c"})
final class TokenRevokeCommand extends BerthCommand {
    @Parameters(paramLabel = "ID", description = "As `ls` shows it.")
    private String id;

    TokenRevokeCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        return describe(api().post("/api/tokens/" + ApiClient.escape(id) + "/revoke", null));
    }
}
