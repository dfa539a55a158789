package org.berth.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.launch.LaunchSpec;
import org.berth.cli.launch.Policy;
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
final class RunCommand extends FollowedCommand {
    private static final Set<String> SCOPES = Set.of("direct_process", "process_group", "contained_tree");

    @Parameters(paramLabel = "CMD", arity = "1..*", description = "The command and its arguments, best after --.")
    private List<String> command;

    @Option(names = "--name", paramLabel = "N", description = "The attempt's id becomes run-N; it must be new.")
    private String name;

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

    @Option(
            names = "--policy",
            paramLabel = "P",
            defaultValue = Policy.DEFAULT,
            description = "The host policy that rules it (default).")
    private String policy;

    RunCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        limit();
        if (stdin != null && (!stdin.equals("-") || window)) {
            throw Failure.usage(window ? "--window takes the terminal as input, not --stdin." : "--stdin takes only -");
        }
        if (!SCOPES.contains(scope)) {
            throw Failure.usage("--cleanup-scope is direct_process, process_group or contained_tree: " + scope);
        }
        Path workingDirectory = workingDirectory(null);
        Map<String, String> variables = environment();
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
            return follow(spec, workingDirectory, terminal, stdin == null ? Input.LAUNCHED : Input.FORWARDED);
        }
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
}
