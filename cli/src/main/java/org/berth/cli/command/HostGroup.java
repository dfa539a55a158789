package org.berth.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "host",
        description = "The host policy file.",
        footer = {"", "Examples:", "  berth host show"})
final class HostGroup {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;
}
