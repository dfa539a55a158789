package org.berth.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "kernel",
        description = "The Python of sessions' kernels on this host.",
        footer = {"", "Examples:", "  berth kernel install"})
final class KernelGroup {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;
}
