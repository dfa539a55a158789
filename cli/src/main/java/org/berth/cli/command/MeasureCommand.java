package org.berth.cli.command;

import java.nio.file.Path;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "measure",
        description = {"Measure an executable file.", "Shows its digest, kind, size and interpreter."},
        footer = {"", "Examples:", "  berth measure /usr/bin/env"})
final class MeasureCommand extends BerthCommand {
    @Parameters(paramLabel = "PATH", description = "The file; a relative path is taken from here.")
    private Path path;

    MeasureCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        return describe(api().post(
                        "/api/placement/executables/measure",
                        Json.object()
                                .add("path", path.toAbsolutePath().normalize().toString())
                                .build()));
    }
}
