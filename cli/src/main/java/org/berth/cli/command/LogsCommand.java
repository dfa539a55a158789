package org.berth.cli.command;

import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "logs",
        description = {"Print what an attempt's log kept.", "Its stdout goes to stdout, its stderr to stderr."},
        footer = {
            "",
            "Examples:",
            "  berth logs run-build",
            "  berth logs run-build -f",
            "  berth logs run-build --stream stderr --tail 20"
        })
final class LogsCommand extends BerthCommand {
    private static final List<String> STREAMS = List.of("stdout", "stderr", "tty");

    @Parameters(paramLabel = "ATTEMPT", description = "The attempt's complete id.")
    private String attemptId;

    @Option(
            names = {"-f", "--follow"},
            description = "Go on until the attempt ends.")
    private boolean follow;

    @Option(names = "--stream", paramLabel = "STREAM", description = "Only stdout, stderr or tty.")
    private String stream;

    @Option(names = "--tail", paramLabel = "N", description = "Only the last N lines.")
    private Integer tail;

    LogsCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        if (stream != null && !STREAMS.contains(stream)) {
            throw Failure.usage("--stream is stdout, stderr or tty: " + stream);
        }
        if (tail != null && tail < 0) {
            throw Failure.usage("--tail is a number of lines: " + tail);
        }
        if (follow && json) {
            throw Failure.usage("-f prints the log as it is; leave out --json.");
        }
        JsonObject attempt = Attempts.read(api(), attemptId);
        List<String> streams = stream != null
                ? List.of(stream)
                : Attempts.window(attempt) ? List.of("tty") : List.of("stdout", "stderr");
        if (json) {
            return printJson(streams);
        }
        if (follow) {
            followAll(streams);
        } else {
            streams.forEach(each -> new LogFollower(api(), surroundings, attemptId, each, tail).once());
        }
        return 0;
    }

    private int printJson(List<String> streams) {
        JsonArrayBuilder list = Json.array();
        for (String each : streams) {
            LogPage page = LogPage.first(api(), attemptId, each, tail);
            list.add(page.json(each));
        }
        JsonObject answer =
                Json.object().add("attempt_id", attemptId).add("logs", list).build();
        return print(answer, () -> {});
    }

    private void followAll(List<String> streams) {
        ApiClient client = api();
        AtomicReference<RuntimeException> failed = new AtomicReference<>();
        List<Thread> threads = streams.stream()
                .map(each -> Thread.ofVirtual().start(() -> {
                    try {
                        new LogFollower(client, surroundings, attemptId, each, tail).untilEnd();
                    } catch (RuntimeException e) {
                        failed.set(e);
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw Failure.failed("Interrupted.", null);
            }
        }
        if (failed.get() != null) {
            throw failed.get();
        }
    }
}
