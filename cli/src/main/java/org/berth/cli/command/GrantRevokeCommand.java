package org.berth.cli.command;

import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "revoke",
        description = "Take a grant back; attempts that use it are stopped at the next reconcile.",
        footer = {"", "Examples:", "  berth grant revoke 4f0c"})
final class GrantRevokeCommand extends BerthCommand {
    @Parameters(paramLabel = "ID", description = "As `ls` shows it.")
    private String id;

    GrantRevokeCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        return describe(api().post("/api/placement/grants/" + ApiClient.escape(id) + "/revoke", null));
    }
}
