package org.berth.container.service;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.berth.container.ContainerPlan;
import org.berth.container.ContainerState;
import org.berth.environment.CommandOrder;
import org.berth.environment.CommandOutcome;
import org.berth.environment.HostCommands;
import org.berth.files.PrivateFiles;
import org.berth.json.StrictJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Any engine whose command line has Docker's surface. What it writes to standard error is never read as data. */
final class CommandEngine implements ContainerEngine {
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final int OUTPUT_BYTES = 2 * 1_048_576;

    /** What the answer of the order itself may take over the command's own time. */
    private static final int MARGIN_MILLIS = 5_000;

    private static final int MILLIS_PER_SECOND = 1000;
    private static final String EVERY_ID = "{{.ID}}";

    private final HostCommands commands;
    private final Supplier<String> executable;
    private final Map<String, String> environment;
    private final String user;

    /** @param user uid and gid of the server's user */
    CommandEngine(HostCommands commands, Supplier<String> executable, Map<String, String> environment, String user) {
        this.commands = commands;
        this.executable = executable;
        this.environment = environment;
        this.user = user;
    }

    @Override
    public String name() {
        return executable.get();
    }

    @Override
    public String version() {
        String said = text(succeeded(run(List.of("--version"), TIMEOUT_MILLIS), "version"));
        succeeded(run(List.of("version"), TIMEOUT_MILLIS), "version");
        return said.strip();
    }

    @Override
    public Optional<Created> create(ContainerPlan plan, Path scratch) {
        Path file = scratch.resolve("container.env");
        Map<String, String> passed = new LinkedHashMap<>(environment);
        try {
            StringBuilder lines = new StringBuilder();
            plan.environment().forEach((variable, value) -> {
                if (value.indexOf('\n') < 0 && value.indexOf('\r') < 0) {
                    lines.append(variable).append('=').append(value).append('\n');
                } else if (passed.putIfAbsent(variable, value) != null) {
                    throw BerthException.invalid("environment." + variable
                            + " has several lines and belongs to the engine's command line itself; use another name");
                }
            });
            PrivateFiles.write(file, lines.toString());
            List<String> argv = CommandSpec.create(plan, file, user, isPodman());
            CommandOutcome outcome = run(argv, TIMEOUT_MILLIS, passed);
            if (outcome.exitCode() == 0) {
                return Optional.of(new Created(text(outcome).strip(), outcome.stderr().length == 0 ? 0 : 1));
            }
            return refused(plan, outcome);
        } catch (IOException e) {
            throw new BerthException(ProblemCode.STORAGE, "the file of the container's variables was not written", e);
        } finally {
            delete(file);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new BerthException(ProblemCode.STORAGE, "the file of the container's variables stays", e);
        }
    }

    /** Why, from what the engine has: its words are no data. */
    private Optional<Created> refused(ContainerPlan plan, CommandOutcome outcome) {
        if (outcome.timedOut() || outcome.truncated()) {
            throw unanswered("create", null);
        }
        if (find(plan.name()).isPresent()) {
            return Optional.empty();
        }
        if (run(List.of("image", "inspect", "--format", EVERY_ID.replace("ID", "Id"), plan.image()), TIMEOUT_MILLIS)
                        .exitCode()
                != 0) {
            throw EngineRefusals.image(plan.image());
        }
        throw EngineRefusals.create(outcome.exitCode());
    }

    private boolean isPodman() {
        return Path.of(executable.get()).getFileName().toString().startsWith("podman");
    }

    @Override
    public Optional<ContainerState> find(String idOrName) {
        CommandOutcome outcome = run(List.of("container", "inspect", idOrName), TIMEOUT_MILLIS);
        if (outcome.exitCode() == 0 && !outcome.truncated()) {
            Object tree = StrictJson.object("{\"tree\":" + text(outcome) + "}").get("tree");
            if (tree instanceof List<?> list && list.size() == 1) {
                return Optional.of(InspectAnswer.read(list.getFirst()));
            }
            throw unanswered("inspect", null);
        }
        // Only an engine that answers a listing can say that there is none.
        boolean listed = lines(List.of("ps", "--all", "--no-trunc", "--format", EVERY_ID + " {{.Names}}")).stream()
                .anyMatch(line -> List.of(line.split("[ ,]")).contains(idOrName));
        if (listed) {
            throw unanswered("inspect", null);
        }
        return Optional.empty();
    }

    @Override
    public List<String> labelled(String label, String value) {
        return lines(
                List.of("ps", "--all", "--no-trunc", "--filter", "label=" + label + "=" + value, "--format", EVERY_ID));
    }

    private List<String> lines(List<String> argv) {
        return text(succeeded(run(argv, TIMEOUT_MILLIS), argv.getFirst()))
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    @Override
    public void stop(String id, int graceMillis) {
        int seconds = Math.ceilDiv(graceMillis, MILLIS_PER_SECOND);
        int bound = Math.min(CommandOrder.MOST_MILLIS, TIMEOUT_MILLIS + graceMillis);
        gone(run(List.of("stop", "--time", Integer.toString(seconds), id), bound), id, "stopped");
    }

    @Override
    public void kill(String id) {
        CommandOutcome outcome = run(List.of("kill", "--signal", "KILL", id), TIMEOUT_MILLIS);
        if (outcome.exitCode() != 0 && find(id).filter(state -> !state.ended()).isPresent()) {
            throw EngineRefusals.effect("killed", outcome.exitCode());
        }
    }

    @Override
    public void remove(String id) {
        gone(run(List.of("rm", "--force", id), TIMEOUT_MILLIS), id, "removed");
    }

    private void gone(CommandOutcome outcome, String id, String done) {
        if (outcome.exitCode() != 0 && find(id).isPresent()) {
            throw EngineRefusals.effect(done, outcome.exitCode());
        }
    }

    private CommandOutcome run(List<String> argv, int millis) {
        return run(argv, millis, environment);
    }

    private CommandOutcome run(List<String> argv, int millis, Map<String, String> variables) {
        CommandOrder order = new CommandOrder(executable.get(), argv, variables, "/", null, millis, OUTPUT_BYTES);
        try {
            return commands.run(order).toCompletableFuture().get(millis + MARGIN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unanswered(argv.getFirst(), e);
        } catch (ExecutionException | TimeoutException e) {
            throw unanswered(argv.getFirst(), e);
        }
    }

    private static CommandOutcome succeeded(CommandOutcome outcome, String what) {
        if (outcome.exitCode() != 0 || outcome.timedOut() || outcome.truncated()) {
            throw unanswered(what, null);
        }
        return outcome;
    }

    private static String text(CommandOutcome outcome) {
        return new String(outcome.stdout(), StandardCharsets.UTF_8);
    }

    private static BerthException unanswered(String what, Throwable cause) {
        return new BerthException(
                ProblemCode.UNAVAILABLE,
                "the container engine's command line gave no whole answer to '" + what
                        + "'; see that its engine runs and try again",
                cause);
    }
}
