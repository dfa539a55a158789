package org.berth.cli.command;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Advice;
import org.berth.cli.api.Json;
import org.berth.cli.launch.AgentPolicy;
import org.berth.cli.launch.AgentSpec;
import org.berth.cli.launch.AgentSpec.Workplace;
import org.berth.cli.launch.LaunchSpec;
import org.berth.cli.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "run",
        description = {
            "Run an agent under proof and follow it.",
            "The host's policy says with which program, model and credentials. Output, exit code and ^C are as with `berth"
                    + " run`. In a session the agent works in a home that is kept, and goes on with its conversation."
        },
        footer = {
            "",
            "Examples:",
            "  berth agent run --driver claude -- Say hello",
            "  berth agent run --policy coder --session fix-test --cwd . --worktree -- Find the cause, and fix it",
            "  git diff | berth agent run --policy reviewer --timeout 10m -- -",
            "  berth agent run --policy talker --session chat --stdin - -- Hello",
            "  berth agent run --driver claude --session fix-test --window --cwd ."
        })
final class AgentRunCommand extends FollowedCommand {
    /** Source: placement.md, Launch request, launch.stdin. */
    private static final int MOST_PROMPT_BYTES = 65_536;

    @Parameters(
            paramLabel = "PROMPT",
            arity = "0..*",
            description = "What the agent is asked, best after --; - reads it from stdin. Only a window goes without.")
    private List<String> words = List.of();

    @Option(names = "--driver", paramLabel = "D", description = "The agent's program, when one policy has it.")
    private String driver;

    @Option(names = "--policy", paramLabel = "P", description = "The host policy that selects the agent.")
    private String policy;

    @Option(names = "--name", paramLabel = "N", description = "The attempt's id becomes agent-N; it must be new.")
    private String name;

    @Option(names = "--session", paramLabel = "S", description = "Work in the kept home of this session.")
    private String session;

    @Option(names = "--resume", description = "Go on with the session's conversation; without one, refuse.")
    private boolean resume;

    @Option(names = "--fresh", description = "Begin the session's conversation; when there is one, refuse.")
    private boolean fresh;

    @Option(
            names = "--worktree",
            paramLabel = "BRANCH",
            arity = "0..1",
            fallbackValue = "",
            preprocessor = Attached.class,
            description = "Work in a Git worktree of --cwd (or of here) on a branch of its own.")
    private String worktree;

    @Option(names = "--isolated", description = "Work in a copy of --cwd (or of here), handed back at the end.")
    private boolean isolated;

    @Option(names = "--window", description = "Join the agent's terminal to this one; Ctrl-] leaves it running.")
    private boolean window;

    @Option(
            names = "--stdin",
            paramLabel = "-",
            description = "- passes stdin on after the prompt, line by line as it is, to a policy of profile session.")
    private String stdin;

    /** A value of the option is attached with {@code =}, so that it never takes the prompt's first word. */
    static final class Attached implements IParameterPreprocessor {
        @Override
        public boolean preprocess(
                Stack<String> arguments, CommandSpec command, ArgSpec option, Map<String, Object> parsed) {
            if (" ".equals(parsed.get("separator"))) {
                arguments.push("");
            }
            return false;
        }
    }

    AgentRunCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        requireSense();
        Workplace workplace = new Workplace(isolated, worktree != null, "".equals(worktree) ? null : worktree);
        Path directory = workingDirectory(workplace.isItself() ? null : Path.of(""));
        Map<String, String> variables = environment();
        AgentPolicy chosen = AgentPolicy.choose(api().get("/api/placement/host"), policy, driver, window);
        requireFit(chosen);
        String prompt = prompt();
        try (Terminal terminal = chosen.isWindow() ? Terminal.open() : null) {
            AgentSpec spec = new AgentSpec(
                    "agent-" + (name == null ? LaunchSpec.random(6) : name),
                    chosen,
                    prompt,
                    session,
                    resume || fresh ? resume : null,
                    workplace,
                    terminal == null ? variables : withTerm(variables, chosen),
                    terminal == null ? null : terminal.size(),
                    log);
            return follow(spec, directory, terminal, input(chosen));
        }
    }

    /** What is wrong whatever the host says. */
    private void requireSense() {
        limit();
        if (stdin != null && !stdin.equals("-")) {
            throw Failure.usage("--stdin takes only -");
        }
        if (stdin != null && words.equals(List.of("-"))) {
            throw Failure.usage("stdin is either the prompt (-) or what follows it (--stdin -), not both.");
        }
        if (resume && fresh) {
            throw Failure.usage("--resume and --fresh exclude each other.");
        }
        if ((resume || fresh) && session == null) {
            throw Failure.usage((resume ? "--resume" : "--fresh") + " needs --session.");
        }
        if (driver == null && policy == null && words.isEmpty() && !window) {
            throw Failure.usage("A prompt is needed, best after --.");
        }
    }

    private void requireFit(AgentPolicy chosen) {
        if (stdin != null && !chosen.isSession()) {
            throw Failure.usage(
                    "--stdin - needs a policy of profile session; " + chosen.name() + " has " + chosen.profile() + ".");
        }
        if (words.isEmpty() && !chosen.isWindow()) {
            throw Failure.usage("A prompt is needed, best after --; " + chosen.name() + " is no window.");
        }
    }

    private Input input(AgentPolicy chosen) {
        if (!chosen.isSession()) {
            return Input.LAUNCHED;
        }
        return stdin == null ? Input.ENDED : Input.FORWARDED;
    }

    private String prompt() {
        if (words.isEmpty()) {
            return null;
        }
        String prompt = words.equals(List.of("-")) ? read() : String.join(" ", words);
        if (prompt.isBlank()) {
            throw Failure.usage("The prompt is empty.");
        }
        return prompt;
    }

    private String read() {
        try {
            byte[] bytes = surroundings.in().readNBytes(MOST_PROMPT_BYTES + 1);
            if (bytes.length > MOST_PROMPT_BYTES) {
                throw Failure.failed(
                        "The prompt is more than " + MOST_PROMPT_BYTES + " bytes.",
                        "Put it into a file that the agent reads.");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Failure.failed("The prompt on stdin is no UTF-8 text.", null);
        } catch (IOException e) {
            throw Failure.failed("The prompt cannot be read from stdin.", null);
        }
    }

    /** A program on a terminal needs to know which one it is; what the policy sets stays its own. */
    private Map<String, String> withTerm(Map<String, String> variables, AgentPolicy chosen) {
        String term = surroundings.variable("TERM", null);
        if (term == null || variables.containsKey("TERM") || chosen.variables().contains("TERM")) {
            return variables;
        }
        Map<String, String> all = new LinkedHashMap<>(variables);
        all.put("TERM", term);
        return all;
    }

    @Override
    protected void noticed(String notice) {
        if (json) {
            text().println(Json.object()
                    .add("type", "notice")
                    .add("notice", notice)
                    .build());
            text().flush();
            return;
        }
        note(notice);
        String next = Advice.ofNotice(notice);
        if (next != null) {
            surroundings.err().println("  " + next);
        }
    }
}
