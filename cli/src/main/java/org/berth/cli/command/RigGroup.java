package org.berth.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "rig",
        description = "Teams of seats: made of a file, started, looked at, removed.",
        footer = {"", "Examples:", "  berth rig up ./team/rig.yaml", "  berth rig show openshell-example"})
final class RigGroup {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;
}
