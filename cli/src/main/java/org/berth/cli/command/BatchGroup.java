package org.berth.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "batch",
        description = "Executions of the server's batch jobs.",
        footer = {"", "Examples:", "  berth batch ls --state stopped", "  berth batch restart 12"})
final class BatchGroup {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;
}
