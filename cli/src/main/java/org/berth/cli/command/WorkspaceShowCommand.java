package org.berth.cli.command;

import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Show one workspace: where it is, and what its hand-back did.",
        footer = {"", "Examples:", "  berth workspace show workspace-4f0c"})
final class WorkspaceShowCommand extends BerthCommand {
    @Parameters(index = "0", paramLabel = "WORKSPACE", description = "The workspace's complete id.")
    private String workspace;

    WorkspaceShowCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        return describe(api().get(WorkspaceGroup.ROUTE + "/" + ApiClient.escape(workspace)));
    }
}
