package org.berth.cli.command;

import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "completion",
        description = "Print a completion script for bash or zsh.",
        footer = {
            "",
            "Examples:",
            "  source <(berth completion bash)",
            "  berth completion zsh > ~/.berth-completion && source ~/.berth-completion"
        })
final class CompletionCommand extends BerthCommand {
    @Parameters(paramLabel = "SHELL", arity = "0..1", defaultValue = "bash", description = "bash (default) or zsh.")
    private String shell;

    CompletionCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        if (!shell.equals("bash") && !shell.equals("zsh")) {
            throw Failure.usage("There is a completion script for bash and zsh, not for " + shell + ".");
        }
        // one script serves both: under zsh it switches bash's completion functions on by itself
        String script = AutoComplete.bash("berth", Commands.all(surroundings));
        return print(Json.object().add("shell", shell).add("script", script).build(), () -> text().print(script));
    }
}
