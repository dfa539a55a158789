package org.berth.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "environment",
        description =
                "Contained environments of seats: prepared, made, filled, launched, joined, and their results fetched.",
        footer = {
            "",
            "Examples:",
            "  berth environment setup --directory ./team",
            "  berth environment inspect worker-one --live",
            "",
            "Begin with setup. create and attach never launch; `berth rig up` does, or project and launch."
        })
final class EnvironmentGroup {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;
}
