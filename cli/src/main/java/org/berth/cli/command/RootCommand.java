package org.berth.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "berth",
        description = "Runs commands under proof: every launch admitted, every effect recorded.",
        footer = {
            "",
            "Examples:",
            "  berth up",
            "  berth run -- sh -c 'echo hello; exit 7'",
            "  berth agent run --driver claude --cwd . -- Find the cause of the failing test",
            "",
            "Variables: BERTH_URL, BERTH_TOKEN, BERTH_HOME, BERTH_PORT_OFFSET, NO_COLOR.",
            "Exit codes: 0 done, 1 refused or failed, 2 usage, 3 server not reachable."
        })
final class RootCommand {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            description = "Show the version.")
    private boolean version;
}
