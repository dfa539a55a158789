package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "hand-back",
        description = {
            "Bring a workspace's changes home. Stop first what writes in it.",
            "What both sides changed stays as the parent has it; the copy's version goes to conflicts/ and is listed."
        },
        footer = {"", "Examples:", "  berth workspace hand-back workspace-4f0c"})
final class WorkspaceHandBackCommand extends BerthCommand {
    @Parameters(index = "0", paramLabel = "WORKSPACE", description = "The workspace's complete id.")
    private String workspace;

    WorkspaceHandBackCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject home = api().call(
                        Call.post(WorkspaceGroup.ROUTE + "/" + ApiClient.escape(workspace) + "/hand-back", null)
                                .waiting("Bringing the changes home")
                                .within(WorkspaceCreateCommand.PATIENCE))
                .body();
        describe(home);
        int conflicts = Json.objects(Json.object(home, "handBack"), "conflicts").size();
        if (conflicts > 0 && !json) {
            note(conflicts + " files were changed on both sides; the parent's stay, the copy's are in conflicts/");
        }
        return 0;
    }
}
