package org.berth.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "session",
        description = "Sessions of an agent: a directory, its commands and cells, and what happened, as a tree.",
        footer = {
            "",
            "Examples:",
            "  berth session open --cwd ./project",
            "  berth session bash SESSION -- make test",
            "  berth session jobs SESSION"
        })
final class SessionGroup {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;
}
