package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.cli.ExitCodes;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.api.Patience;
import org.berth.cli.api.ProblemException;
import org.berth.cli.api.UnreachableException;
import org.berth.cli.launch.Launch;
import org.berth.cli.launch.Run;
import org.berth.cli.output.Progress;
import org.berth.cli.output.Times;
import org.berth.cli.stream.Ending;
import org.berth.cli.terminal.Signals;
import org.berth.cli.terminal.Terminal;
import picocli.CommandLine.Option;

/** What launches something and follows it to its end: the options and the way that such commands share. */
abstract class FollowedCommand extends BerthCommand {
    private static final int INPUT_BYTES = 16_384;

    @Option(names = "--timeout", paramLabel = "D", description = "Stop it after D, such as 90s or 10m; exit code 124.")
    private String timeout;

    @Option(names = "--cwd", paramLabel = "DIR", description = "Run it there, with a grant that is issued for it.")
    private Path directory;

    @Option(names = "--env", paramLabel = "K=V", description = "A variable, stored with the launch; repeatable.")
    private List<String> environment = List.of();

    @Option(names = "--log", description = "Keep a log of its output for `berth logs`.")
    boolean log;

    @Option(names = "--keep", description = "Keep its home at the end, until `berth cleanup`.")
    private boolean keep;

    private final AtomicInteger interrupts = new AtomicInteger();
    private final AtomicBoolean timedOut = new AtomicBoolean();
    private Run run;

    /** What becomes of the command's stdin. */
    enum Input {
        /** The launch itself says. */
        LAUNCHED,
        /** This program's stdin, and its end. */
        FORWARDED,
        /** It ends after what the launch gave. */
        ENDED
    }

    FollowedCommand(Surroundings surroundings) {
        super(surroundings);
    }

    /**
     * Prepares, attaches, starts, follows and cleans up.
     *
     * @param workingDirectory absolute; null for the attempt's home
     * @param terminal null for pipes
     * @return the exit code
     */
    protected final int follow(Launch launch, Path workingDirectory, Terminal terminal, Input input) {
        Duration limit = limit();
        StreamPrinter printer = new StreamPrinter(surroundings, json, () -> inBackground(() -> run.stop(false)));
        run = new Run(api(), launch, terminal != null ? Progress.Source.none() : progress());
        run.prepare(workingDirectory, printer);
        run.notices().forEach(this::noticed);
        Signals.handle("INT", this::interrupted);
        requireStarted(launch.attemptId(), run.start());
        if (terminal != null) {
            new WindowSession(terminal, run.stream()).begin();
        }
        switch (input) {
            case LAUNCHED -> {}
            case FORWARDED -> inBackground(this::forwardInput);
            case ENDED -> run.stream().closeInput();
        }
        if (limit != null) {
            inBackground(() -> stopAfter(limit));
        }
        Ending ending;
        try {
            ending = run.follow();
        } catch (UnreachableException e) {
            throw Failure.unreachable(
                    "The server went away and did not come back. The command goes on.",
                    "Follow it again with `berth attach " + launch.attemptId() + "`.");
        } finally {
            if (terminal != null) {
                terminal.close();
            }
        }
        printer.ended(launch.attemptId(), ending);
        Following.explain(surroundings.err(), surroundings.errTerminal(), launch.attemptId(), run.stream(), ending);
        run.stream().close();
        if (!keep && ending.commandEnded()) {
            cleanup(launch.attemptId());
        }
        return timedOut.get() && ending.commandEnded() ? ExitCodes.TIMED_OUT : ending.exitCode();
    }

    /** Tells what the server advised at the admission. */
    protected void noticed(String notice) {
        note(notice);
    }

    /** What {@code --env} gives. @throws Failure usage */
    protected final Map<String, String> environment() {
        return pairs("--env", environment);
    }

    private void requireStarted(String attemptId, boolean started) {
        JsonObject attempt = run.attempt();
        if ("uncertain".equals(Json.text(attempt, "execution_state"))) {
            throw Failure.failed(
                    "Nobody knows whether the command was started.", "`berth reconcile " + attemptId + "` looks.");
        }
        if (!started) {
            List<JsonObject> evidence = Attempts.evidence(api(), attemptId);
            String why = evidence.stream()
                    .filter(each -> isRefusal(Json.text(each, "kind")))
                    .map(each -> Json.text(each, "kind") + " " + each.get("detail"))
                    .findFirst()
                    .orElse("it was stopped before");
            if (!keep) {
                cleanup(attemptId);
            }
            throw Failure.failed(
                    "The command was not started: " + why, "`berth evidence " + attemptId + "` shows every step.");
        }
    }

    private static boolean isRefusal(String kind) {
        return kind.endsWith(".refused") || kind.endsWith("failed") || kind.equals("executable.changed");
    }

    private void cleanup(String attemptId) {
        try {
            run.cleanup();
        } catch (ProblemException | UnreachableException e) {
            note("the attempt's home is kept for now: " + e.getMessage() + " Try `berth cleanup " + attemptId + "`.");
        }
    }

    private void interrupted() {
        switch (interrupts.incrementAndGet()) {
            case 1 -> inBackground(() -> run.stop(false));
            case 2 -> inBackground(() -> run.stop(true));
            default -> run.stream().leave();
        }
    }

    private void stopAfter(Duration limit) {
        Patience.sleep(limit);
        timedOut.set(true);
        run.stop(false);
    }

    private void forwardInput() {
        byte[] buffer = new byte[INPUT_BYTES];
        try {
            for (int count = surroundings.in().read(buffer);
                    count > 0;
                    count = surroundings.in().read(buffer)) {
                if (!run.stream().input(Arrays.copyOf(buffer, count))) {
                    return;
                }
            }
        } catch (IOException e) {
            note("stdin cannot be read any more; the command's stdin is closed");
        }
        run.stream().closeInput();
    }

    /** Work whose failure is told and never ends the following. */
    private void inBackground(Runnable work) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                work.run();
            } catch (ProblemException | UnreachableException | Failure e) {
                note(e.getMessage());
            }
        });
    }

    /** @throws Failure usage */
    protected final Duration limit() {
        try {
            return timeout == null ? null : Times.duration(timeout);
        } catch (IllegalArgumentException e) {
            throw Failure.usage("--timeout: " + e.getMessage());
        }
    }

    /**
     * The physical directory that {@code --cwd} names.
     *
     * @param otherwise what is meant without it; null for none
     */
    protected final Path workingDirectory(Path otherwise) {
        Path named = directory == null ? otherwise : directory;
        if (named == null) {
            return null;
        }
        try {
            Path real = named.toRealPath();
            if (Files.isDirectory(real)) {
                return real;
            }
        } catch (IOException e) {
            // answered below, together with what is no directory
        }
        throw Failure.failed("There is no directory " + named + ".", null);
    }

    /** NAME=VALUE texts, each name once. @throws Failure usage */
    static Map<String, String> pairs(String option, List<String> texts) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw Failure.usage(option + " takes NAME=VALUE: " + text);
            }
            if (pairs.put(text.substring(0, equals), text.substring(equals + 1)) != null) {
                throw Failure.usage(option + " names " + text.substring(0, equals) + " twice.");
            }
        }
        return pairs;
    }
}
