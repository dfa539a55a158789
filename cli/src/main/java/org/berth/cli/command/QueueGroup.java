package org.berth.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "queue",
        description = "Work that seats give each other.",
        footer = {
            "",
            "Examples:",
            "  berth queue create --to team-worker@openshell-example --body 'Write the report'",
            "  berth queue list --rig openshell-example --open"
        })
final class QueueGroup {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;
}
