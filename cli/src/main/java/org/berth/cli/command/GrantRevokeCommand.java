package org.berth.cli.command;

import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "revoke",
        description = {
            "Take a grant back; what uses it is refused from now on.",
            "Attempts that use a resource grant are stopped at the next reconcile."
        },
        footer = {"", "Examples:", "  berth grant revoke 4f0c", "  berth grant revoke --kind work worker-tools"})
final class GrantRevokeCommand extends BerthCommand {
    @Parameters(paramLabel = "ID", description = "As `ls` shows it; of a work grant its name.")
    private String id;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            defaultValue = "resource",
            description = "resource (default), work or activity.")
    private String kind;

    GrantRevokeCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        return describe(api().post(GrantKind.of(kind).path() + "/" + ApiClient.escape(id) + "/revoke", null));
    }
}
