package org.berth.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "workspace",
        description = "Copies of a directory to work in, whose changes come home, without a session.",
        footer = {
            "",
            "Examples:",
            "  berth workspace create ./project",
            "  berth workspace show WORKSPACE",
            "  berth workspace hand-back WORKSPACE"
        })
final class WorkspaceGroup {
    /** The route of all workspaces. */
    static final String ROUTE = "/api/harness/workspaces";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;
}
