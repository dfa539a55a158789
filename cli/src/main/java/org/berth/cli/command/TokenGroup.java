package org.berth.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "token",
        description = "Bearer tokens of the server.",
        footer = {"", "Examples:", "  berth token create --name laptop --owner owner --role operator"})
final class TokenGroup {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;
}
