package org.berth.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "agent",
        description = "Agents as the host's policies select them: their programs, and runs of them.",
        footer = {
            "",
            "Examples:",
            "  berth agent drivers",
            "  berth agent run --driver claude --cwd . -- Find the cause of the failing test"
        })
final class AgentGroup {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;
}
