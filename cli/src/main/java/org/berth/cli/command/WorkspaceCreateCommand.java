package org.berth.cli.command;

import jakarta.json.JsonObjectBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "create",
        description = {
            "Copy a directory's files to work in: what git tracks, and what it does not ignore.",
            "Shows where the copy is; its changes come home with `berth workspace hand-back`."
        },
        footer = {"", "Examples:", "  berth workspace create", "  berth workspace create ./project --json"})
final class WorkspaceCreateCommand extends BerthCommand {
    /** Up to 100000 files are copied. Source: harness.md, Isolated workspaces. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final List<String> MODES = List.of("isolated", "shared");

    @Parameters(
            paramLabel = "DIR",
            arity = "0..1",
            description = "The directory; a relative path is taken from here. Default: the current one.")
    private Path parent = Path.of("");

    @Option(names = "--mode", paramLabel = "M", description = "isolated (default), or shared: the directory itself.")
    private String mode;

    WorkspaceCreateCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        if (mode != null && !MODES.contains(mode)) {
            throw Failure.usage("--mode is " + String.join(" or ", MODES) + ": " + mode);
        }
        JsonObjectBuilder body = Json.object().add("parent", Sessions.directory(parent));
        Json.add(body, "mode", mode);
        return describe(api().call(Call.post(WorkspaceGroup.ROUTE, body.build())
                        .waiting("Copying the files")
                        .within(PATIENCE))
                .body());
    }
}
