package org.berth.preparer.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.berth.environment.CommandOrder;
import org.berth.environment.CommandOutcome;
import org.berth.environment.HostCommands;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Runs {@code git} without a shell, in bounded time and output, with no more of the server's environment than where git's
 * own settings lie. An agent may have written the repository's configuration: hooks, monitors, transports and filters
 * that it names are not run. Source: git-config(1), gitattributes(5).
 */
final class Git {
    /** A checkout of a large tree takes longer than anything else here. */
    private static final int TIMEOUT_MILLIS = CommandOrder.MOST_MILLIS;

    private static final int OUTPUT_BYTES = 256 * 1024;

    /** What the order itself may take over the command's own time. */
    private static final int MARGIN_MILLIS = 5_000;

    private static final List<String> HARMLESS = List.of(
            "-c", "core.hooksPath=/dev/null",
            "-c", "core.fsmonitor=false",
            "-c", "core.untrackedCache=false",
            "-c", "core.ignoreStat=false",
            "-c", "worktree.useRelativePaths=false",
            "-c", "submodule.recurse=false",
            "-c", "gc.auto=0",
            "-c", "maintenance.auto=false");

    private final HostCommands commands;
    private final Supplier<String> program;
    private final Supplier<Map<String, String>> environment;

    /** {@code program}: git's absolute path; {@code environment}: the whole one of each command. */
    Git(HostCommands commands, Supplier<String> program, Supplier<Map<String, String>> environment) {
        this.commands = commands;
        this.program = program;
        this.environment = environment;
    }

    /**
     * How a command ended.
     *
     * @param code -1 when it was ended at a bound
     * @param complete whether {@code output} is all that it printed
     */
    record Ended(int code, String output, boolean complete) {
        boolean good() {
            return code == 0 && complete;
        }

        List<String> lines() {
            return output.lines().toList();
        }
    }

    /** Runs it in {@code directory}, with the repository that git finds from there. @throws BerthException UNAVAILABLE, UNCERTAIN */
    Ended in(Path directory, String... arguments) {
        return run(directory, List.of(), List.of(arguments));
    }

    /**
     * Runs it on a repository, wherever it was moved since; nothing that its own configuration names is run.
     *
     * @param gitDirectory the repository's metadata, or a worktree's part of it
     * @param workTree null where none matters
     * @throws BerthException UNAVAILABLE, UNCERTAIN
     */
    Ended on(Path gitDirectory, Path workTree, List<String> arguments) {
        List<String> before = new ArrayList<>(withoutFilters(gitDirectory));
        before.add("--git-dir=" + gitDirectory);
        if (workTree != null) {
            before.add("--work-tree=" + workTree);
        }
        return run(workTree == null ? gitDirectory : workTree, before, arguments);
    }

    /** As {@link #on(Path, Path, List)} without a work tree. */
    Ended on(Path gitDirectory, String... arguments) {
        return on(gitDirectory, null, List.of(arguments));
    }

    /** Filters of this user stay, such as those for large files; those that the repository itself configures do not. */
    private List<String> withoutFilters(Path gitDirectory) {
        if (!mayConfigureFilters(gitDirectory)) {
            return List.of();
        }
        Ended listed = run(
                gitDirectory,
                List.of("--git-dir=" + gitDirectory),
                List.of("config", "--show-scope", "--name-only", "-z", "--get-regexp", "^filter\\."));
        if (!listed.complete()) {
            throw new BerthException(ProblemCode.DENIED, "the repository's configuration is too long to be trusted");
        }
        List<String> without = new ArrayList<>();
        String[] words = listed.output().split("\0");
        for (int i = 0; i + 1 < words.length; i += 2) {
            String name = words[i + 1].substring(0, words[i + 1].lastIndexOf('.'));
            if (!words[i].equals("global") && !words[i].equals("system") && !words[i].equals("command")) {
                for (String key : List.of("clean=", "smudge=", "process=", "required=false")) {
                    without.addAll(List.of("-c", name + "." + key));
                }
            }
        }
        return without;
    }

    /** A look at the text saves a command in nearly every repository. */
    private static boolean mayConfigureFilters(Path gitDirectory) {
        try {
            Path common = WorktreeLink.commonOf(gitDirectory);
            for (Path file : List.of(
                    common.resolve("config"),
                    common.resolve("config.worktree"),
                    gitDirectory.resolve("config.worktree"))) {
                String text = Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
                String lower = text.toLowerCase(Locale.ROOT);
                if (lower.contains("filter") || lower.contains("include")) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private Ended run(Path directory, List<String> before, List<String> arguments) {
        List<String> argv = new ArrayList<>(HARMLESS);
        argv.addAll(before);
        argv.addAll(arguments);
        CommandOrder order = new CommandOrder(
                program.get(), argv, environment.get(), directory.toString(), null, TIMEOUT_MILLIS, OUTPUT_BYTES);
        CommandOutcome outcome = outcome(order);
        return new Ended(
                outcome.exitCode(),
                new String(outcome.stdout(), StandardCharsets.UTF_8),
                !outcome.timedOut() && !outcome.truncated());
    }

    private CommandOutcome outcome(CommandOrder order) {
        try {
            return commands.run(order).toCompletableFuture().get(TIMEOUT_MILLIS + MARGIN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | CompletionException e) {
            throw e.getCause() instanceof BerthException refusal ? refusal : uncertain(e);
        } catch (TimeoutException e) {
            throw uncertain(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw uncertain(e);
        }
    }

    private static BerthException uncertain(Throwable cause) {
        return new BerthException(ProblemCode.UNCERTAIN, "how git ended is not known; try again", cause);
    }
}
