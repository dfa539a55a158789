package org.berth.cli.command;

import jakarta.json.JsonObject;
import org.berth.cli.Surroundings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Show one checkpoint: what it holds, what needs it, and its batch executions step by step.",
        footer = {
            "",
            "Examples:",
            "  berth environment checkpoint show before-delete",
            "  berth environment checkpoint show before-delete --json"
        })
final class CheckpointShowCommand extends BerthCommand {
    @Parameters(paramLabel = "CHECKPOINT", description = "The checkpoint's id.")
    private String checkpointId;

    CheckpointShowCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject shown = api().get(Checkpoints.path(checkpointId));
        return print(shown, () -> Checkpoints.show(text(), tables(), shown));
    }
}
