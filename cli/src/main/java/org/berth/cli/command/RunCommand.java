package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.cli.ExitCodes;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.api.Patience;
import org.berth.cli.api.ProblemException;
import org.berth.cli.api.UnreachableException;
import org.berth.cli.launch.LaunchSpec;
import org.berth.cli.launch.Policy;
import org.berth.cli.launch.Run;
import org.berth.cli.output.Progress;
import org.berth.cli.output.Times;
import org.berth.cli.stream.Ending;
import org.berth.cli.terminal.Signals;
import org.berth.cli.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "run",
        description = {
            "Run a command under proof and follow it.",
            "Its stdout and stderr stay apart and byte for byte; its exit code is this program's, 128+n for signal n. ^C"
                    + " asks it to end, a second ^C ends it, a third leaves it running."
        },
        footer = {
            "",
            "Examples:",
            "  berth run -- sh -c 'echo hello; exit 7'",
            "  berth run --name build --cwd . --timeout 10m -- make -j4",
            "  tar c src | berth run --stdin - -- sha256sum",
            "  berth run --window --env TERM=xterm-256color -- bash"
        })
final class RunCommand extends BerthCommand {
    private static final int INPUT_BYTES = 16_384;
    private static final Set<String> SCOPES = Set.of("direct_process", "process_group", "contained_tree");

    @Parameters(paramLabel = "CMD", arity = "1..*", description = "The command and its arguments, best after --.")
    private List<String> command;

    @Option(names = "--name", paramLabel = "N", description = "The attempt's id becomes run-N; it must be new.")
    private String name;

    @Option(names = "--timeout", paramLabel = "D", description = "Stop it after D, such as 90s or 10m; exit code 124.")
    private String timeout;

    @Option(names = "--cwd", paramLabel = "DIR", description = "Run it there, with a grant that is issued for it.")
    private Path directory;

    @Option(names = "--env", paramLabel = "K=V", description = "A variable, stored with the launch; repeatable.")
    private List<String> environment = List.of();

    @Option(
            names = "--env-ref",
            paramLabel = "NAME=REF",
            description = "A variable whose value the host holds; repeatable.")
    private List<String> environmentRefs = List.of();

    @Option(names = "--stdin", paramLabel = "-", description = "- forwards stdin; without it stdin is closed.")
    private String stdin;

    @Option(names = "--window", description = "Give it a terminal, joined to this one; Ctrl-] leaves it running.")
    private boolean window;

    @Option(
            names = "--cleanup-scope",
            paramLabel = "SCOPE",
            defaultValue = "process_group",
            description = "What must be gone at the end: direct_process, process_group (default) or contained_tree.")
    private String scope;

    @Option(names = "--log", description = "Keep a log of its output for `berth logs`.")
    private boolean log;

    @Option(names = "--keep", description = "Keep its home at the end, until `berth cleanup`.")
    private boolean keep;

    @Option(
            names = "--policy",
            paramLabel = "P",
            defaultValue = Policy.DEFAULT,
            description = "The host policy that rules it (default).")
    private String policy;

    private final AtomicInteger interrupts = new AtomicInteger();
    private final AtomicBoolean timedOut = new AtomicBoolean();
    private Run run;

    RunCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        Duration limit = limit();
        if (stdin != null && (!stdin.equals("-") || window)) {
            throw Failure.usage(window ? "--window takes the terminal as input, not --stdin." : "--stdin takes only -");
        }
        if (!SCOPES.contains(scope)) {
            throw Failure.usage("--cleanup-scope is direct_process, process_group or contained_tree: " + scope);
        }
        Path workingDirectory = workingDirectory();
        Map<String, String> variables = pairs("--env", environment);
        Map<String, String> references = pairs("--env-ref", environmentRefs);
        try (Terminal terminal = window ? Terminal.open() : null) {
            LaunchSpec spec = new LaunchSpec(
                    "run-" + (name == null ? LaunchSpec.random(6) : name),
                    located(command),
                    variables,
                    references,
                    stdin != null,
                    window ? terminal.size() : null,
                    scope,
                    log,
                    Policy.of(policy, api()));
            return follow(spec, workingDirectory, terminal, limit);
        }
    }

    private int follow(LaunchSpec spec, Path workingDirectory, Terminal terminal, Duration limit) {
        StreamPrinter printer = new StreamPrinter(surroundings, json, () -> inBackground(() -> run.stop(false)));
        run = new Run(api(), spec, window ? Progress.Source.none() : progress());
        run.prepare(workingDirectory, printer);
        Signals.handle("INT", this::interrupted);
        requireStarted(spec.attemptId(), run.start());
        if (terminal != null) {
            new WindowSession(terminal, run.stream()).begin();
        }
        if (stdin != null) {
            inBackground(this::forwardInput);
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
                    "Follow it again with `berth attach " + spec.attemptId() + "`.");
        } finally {
            if (terminal != null) {
                terminal.close();
            }
        }
        printer.ended(spec.attemptId(), ending);
        Following.explain(surroundings.err(), surroundings.errTerminal(), spec.attemptId(), run.stream(), ending);
        run.stream().close();
        if (!keep && ending.commandEnded()) {
            cleanup(spec.attemptId());
        }
        return timedOut.get() && ending.commandEnded() ? ExitCodes.TIMED_OUT : ending.exitCode();
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

    private Duration limit() {
        try {
            return timeout == null ? null : Times.duration(timeout);
        } catch (IllegalArgumentException e) {
            throw Failure.usage("--timeout: " + e.getMessage());
        }
    }

    private Path workingDirectory() {
        if (directory == null) {
            return null;
        }
        try {
            Path real = directory.toRealPath();
            if (Files.isDirectory(real)) {
                return real;
            }
        } catch (IOException e) {
            // answered below, together with what is no directory
        }
        throw Failure.failed("There is no directory " + directory + ".", null);
    }

    /** A relative name with a slash is meant from here; a bare name is found on the host's path. */
    private static List<String> located(List<String> command) {
        String executable = command.getFirst();
        if (executable.startsWith("/") || !executable.contains("/")) {
            return command;
        }
        List<String> located = new ArrayList<>(command);
        located.set(0, Path.of(executable).toAbsolutePath().normalize().toString());
        return located;
    }

    private static Map<String, String> pairs(String option, List<String> texts) {
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
