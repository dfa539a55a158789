package org.berth.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "grant",
        description = "Owners' rights to directories.",
        footer = {"", "Examples:", "  berth grant issue --subject owner --access write /srv/work"})
final class GrantGroup {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;
}
