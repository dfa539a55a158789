package org.berth.cli.command;

import org.berth.cli.Surroundings;
import picocli.CommandLine.Command;

@Command(
        name = "take",
        description = {
            "Keep the conversation of an environment's agent up to now, on this host.",
            "The history's bytes are copied and verified; artifacts and context are kept by reference and hash. The agent"
                    + " goes on meanwhile."
        },
        footer = {
            "",
            "Examples:",
            "  berth environment checkpoint take worker-one",
            "  berth environment checkpoint take worker-one --generation 5f0c --operation before-delete",
            "",
            "The environment must be Ready. Exit code 1 also while the capture goes on after two minutes."
        })
final class CheckpointTakeCommand extends CheckpointTaking {
    CheckpointTakeCommand(Surroundings surroundings) {
        super(surroundings);
    }
}
