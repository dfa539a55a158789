package org.berth.cli.command;

import jakarta.json.JsonObject;
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

@Command(
        name = "open",
        description = {
            "Open a session in a directory.",
            "What its commands and cells write is kept up to the truncation's bytes and lines; past them the whole output"
                    + " goes to a file."
        },
        footer = {
            "",
            "Examples:",
            "  berth session open",
            "  berth session open --cwd ./project --budget 30s --bytes 100000 --keep head",
            "  berth session open --parent SESSION --workspace isolated"
        })
final class SessionOpenCommand extends BerthCommand {
    /** A copy of the parent's files may be made first. Source: harness.md, Isolated workspaces, 100000 files. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** What the server takes when nothing is said, used for the parts that are not given. Source: harness.md, S2. */
    private static final long BYTES = 51_200;

    private static final long LINES = 2_000;
    private static final String KEEP = "tail";

    @Option(names = "--cwd", paramLabel = "DIR", description = "Its working directory. Default: the current one.")
    private Path directory = Path.of("");

    @Option(
            names = "--workspace",
            paramLabel = "W",
            description = "shared (default), or isolated: a copy of the parent's files, handed back at the end.")
    private String workspace;

    @Option(names = "--transport", paramLabel = "NAME", description = "The kernel transport of host.yaml; else local.")
    private String transport;

    @Option(names = "--parent", paramLabel = "SESSION", description = "The session that this is a child of.")
    private String parent;

    @Option(names = "--no-truncation", description = "Keep every byte of output, in memory.")
    private boolean whole;

    @Option(names = "--bytes", paramLabel = "N", description = "Keep at most N bytes of an output (51200).")
    private Long bytes;

    @Option(names = "--lines", paramLabel = "N", description = "Keep at most N lines of an output (2000).")
    private Long lines;

    @Option(names = "--keep", paramLabel = "END", description = "Which end of an output is kept: head or tail (tail).")
    private String keep;

    @Option(
            names = "--budget",
            paramLabel = "DURATION",
            description = "How long a command or a cell may block its caller before it goes on as a job, such as 30s.")
    private String budget;

    SessionOpenCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        oneOf("--workspace", workspace, List.of("shared", "isolated"));
        oneOf("--keep", keep, List.of("head", "tail"));
        JsonObjectBuilder body = Json.object().add("cwd", Sessions.directory(directory));
        addTruncation(body);
        Duration limit = SessionCommand.duration("--budget", budget);
        if (limit != null) {
            body.add("toolBlockingBudgetMs", limit.toMillis());
        }
        Json.add(body, "kernelTransport", transport);
        Json.add(body, "parent", parent);
        Json.add(body, "workspace", workspace);
        JsonObject opened = api().call(Call.post(Sessions.ROUTE, body.build())
                        .waiting("Opening the session")
                        .within(PATIENCE))
                .body();
        return describe(opened);
    }

    private void addTruncation(JsonObjectBuilder body) {
        boolean limited = bytes != null || lines != null || keep != null;
        if (whole && limited) {
            throw Failure.usage("--no-truncation keeps everything; leave out --bytes, --lines and --keep.");
        }
        if (whole) {
            body.add("truncation", "off");
        } else if (limited) {
            body.add(
                    "truncation",
                    Json.object()
                            .add(
                                    "on",
                                    Json.object()
                                            .add("bytes", count("--bytes", bytes, BYTES))
                                            .add("lines", count("--lines", lines, LINES))
                                            .add("keep", keep == null ? KEEP : keep)));
        }
    }

    private static long count(String option, Long given, long otherwise) {
        if (given != null && given < 0) {
            throw Failure.usage(option + " is 0 or more: " + given);
        }
        return given == null ? otherwise : given;
    }

    private static void oneOf(String option, String given, List<String> known) {
        if (given != null && !known.contains(given)) {
            throw Failure.usage(option + " is " + String.join(" or ", known) + ": " + given);
        }
    }
}
