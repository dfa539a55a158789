package org.berth.cli.command;

import org.berth.cli.Surroundings;
import picocli.CommandLine.Command;

@Command(
        name = "checkpoint",
        description = {
            "Keep an agent's conversation, see what is kept, and remove it.",
            "With a binding: take one, as `take` does."
        },
        footer = {
            "",
            "Examples:",
            "  berth environment checkpoint worker-one --generation 5f0c --operation before-delete",
            "  berth environment checkpoint list worker-one",
            "  berth environment checkpoint delete before-delete"
        })
final class CheckpointCommand extends CheckpointTaking {
    CheckpointCommand(Surroundings surroundings) {
        super(surroundings);
    }
}
