package org.berth.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "grant",
        description = "Rights: to directories, to a rig's work, to report activity.",
        footer = {
            "",
            "Examples:",
            "  berth grant issue --subject owner --access write /srv/work",
            "  berth grant ls --kind work"
        })
final class GrantGroup {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;
}
