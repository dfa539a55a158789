package org.berth.driver.shipped;

import jakarta.enterprise.context.ApplicationScoped;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.driver.AgentCommand;
import org.berth.driver.AgentDriver;
import org.berth.driver.AgentRun;
import org.berth.driver.Delivery;
import org.berth.driver.DriverDefinition;
import org.berth.driver.DriverInputs;
import org.berth.driver.DriverProfile;
import org.berth.driver.DriverProfile.Input;
import org.berth.driver.SetupFile;
import org.berth.placement.CanonicalJson;
import org.berth.placement.LaunchMode;

/**
 * Claude Code. Everything of the policy is an argument: inline settings with permissions and HTTP hooks, inline MCP
 * servers, which are the only ones ({@code --strict-mcp-config}), and the instructions. Source: facts of 2.1.197 in
 * docs/drivers.md.
 */
@ApplicationScoped
public class ClaudeDriver implements AgentDriver {
    private static final String CONFIG = ".claude";
    private static final String STATE = CONFIG + "/.claude.json";
    private static final String HISTORY = CONFIG + "/projects";
    private static final int HOOK_SECONDS = 10;

    /** Variables that the program reads by itself; a key in any other one is fetched by its helper. */
    private static final Set<String> OWN_KEYS = Set.of("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN");

    /** SessionStart is not among the events that the program posts. Source: facts of 2.1.197. */
    private static final List<String> EVENTS = List.of(
            "UserPromptSubmit", "PreToolUse", "PostToolUse", "PermissionRequest", "Notification", "Stop", "SessionEnd");

    private static final DriverDefinition DEFINITION = new DriverDefinition(
            "claude",
            "1",
            "claude",
            Profiles.of(Profiles.batch(Input.ARGUMENT), Profiles.SESSION, Profiles.WINDOW),
            Map.of("CLAUDE_CONFIG_DIR", CONFIG),
            new DriverDefinition.LoginFile(CONFIG + "/.credentials.json", List.of("~/.claude/.credentials.json")),
            List.of(),
            List.of(HISTORY),
            Set.of(
                    "--model",
                    "--fallback-model",
                    "--effort",
                    "--settings",
                    "--setting-sources",
                    "--managed-settings",
                    "--mcp-config",
                    "--strict-mcp-config",
                    "--permission-mode",
                    "--permission-prompt-tool",
                    "--dangerously-skip-permissions",
                    "--allow-dangerously-skip-permissions",
                    "--allowedTools",
                    "--disallowedTools",
                    "--tools",
                    "--system-prompt",
                    "--system-prompt-file",
                    "--append-system-prompt",
                    "--append-system-prompt-file",
                    "--add-dir",
                    "--agent",
                    "--agents",
                    "--plugin-dir",
                    "--plugin-url",
                    "--bare",
                    "--safe-mode",
                    "--background",
                    "--bg",
                    "--worktree",
                    "-w",
                    "--tmux",
                    "--remote-control",
                    "--debug-file"));

    @Override
    public DriverDefinition definition() {
        return DEFINITION;
    }

    @Override
    public AgentCommand command(AgentRun run) {
        DriverProfile profile = run.in(DEFINITION);
        List<String> argv = new ArrayList<>();
        if (profile.mode() == LaunchMode.PIPES) {
            argv.add("-p");
        }
        if (profile.input() == Input.STREAM_JSON) {
            argv.addAll(List.of("--verbose", "--input-format=stream-json", "--output-format=stream-json"));
        } else if (profile.mode() == LaunchMode.PIPES) {
            argv.add("--output-format=text");
        }
        if (run.conversationId() != null) {
            argv.add((run.resume() ? "--resume=" : "--session-id=") + run.conversationId());
        }
        if (profile.input() == Input.STREAM_JSON) {
            return AgentCommand.session(userMessage(run.prompt()) + "\n", argv);
        }
        if (run.hasPrompt()) {
            argv.addAll(List.of("--", run.prompt()));
        }
        return AgentCommand.ofArguments(argv);
    }

    private static String userMessage(String prompt) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("role", "user");
        message.put("content", List.of(Map.of("type", "text", "text", prompt)));
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("type", "user");
        line.put("message", message);
        return CanonicalJson.write(line);
    }

    @Override
    public Delivery render(DriverInputs inputs) {
        DEFINITION.profile(inputs.profile());
        List<String> arguments = new ArrayList<>();
        arguments.add("--settings=" + CanonicalJson.write(settings(inputs)));
        if (inputs.gateway() != null) {
            arguments.add("--mcp-config=" + CanonicalJson.write(tools(inputs.gateway())));
        }
        arguments.add("--strict-mcp-config");
        if (inputs.model() != null) {
            arguments.add("--model=" + inputs.model());
        }
        if (inputs.effort() != null) {
            arguments.add("--effort=" + inputs.effort());
        }
        if (inputs.instructions() != null) {
            arguments.add("--append-system-prompt=" + inputs.instructions());
        }
        return new Delivery(arguments, List.of());
    }

    private static Map<String, Object> settings(DriverInputs inputs) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("permissions", permissions(inputs));
        if (inputs.gateway() != null && inputs.gateway().hooksUrl() != null) {
            settings.put("hooks", hooks(inputs.gateway()));
        }
        if (inputs.endpoint() != null) {
            settings.put("env", Map.of("ANTHROPIC_BASE_URL", inputs.endpoint()));
        }
        if (inputs.keyVariable() != null && !OWN_KEYS.contains(inputs.keyVariable())) {
            settings.put("apiKeyHelper", "printenv " + inputs.keyVariable());
        }
        return settings;
    }

    private static Map<String, Object> permissions(DriverInputs inputs) {
        Map<String, Object> permissions = new LinkedHashMap<>();
        permissions.put("allow", inputs.gateway() == null ? List.of() : List.of("mcp__berth"));
        permissions.put("deny", inputs.edits() ? List.of() : List.of("Edit", "Write", "NotebookEdit"));
        permissions.put("defaultMode", inputs.edits() ? "acceptEdits" : "default");
        permissions.put("disableBypassPermissionsMode", "disable");
        return permissions;
    }

    private static Map<String, Object> hooks(DriverInputs.Gateway gateway) {
        Map<String, Object> hook = new LinkedHashMap<>();
        hook.put("type", "http");
        hook.put("url", gateway.hooksUrl());
        hook.put("headers", Map.of("Authorization", "Bearer $" + gateway.hooksVariable()));
        hook.put("allowedEnvVars", List.of(gateway.hooksVariable()));
        hook.put("timeout", HOOK_SECONDS);
        Map<String, Object> hooks = new LinkedHashMap<>();
        EVENTS.forEach(event -> hooks.put(event, List.of(Map.of("hooks", List.of(hook)))));
        return hooks;
    }

    private static Map<String, Object> tools(DriverInputs.Gateway gateway) {
        Map<String, Object> server = new LinkedHashMap<>();
        server.put("type", "http");
        server.put("url", gateway.toolsUrl());
        server.put("headers", Map.of("Authorization", "Bearer ${" + gateway.toolsVariable() + "}"));
        return Map.of("mcpServers", Map.of("berth", server));
    }

    @Override
    public List<String> writableRoots(String profile, boolean edits, List<Path> roots) {
        if (!edits || !DEFINITION.profile(profile).edits()) {
            return List.of();
        }
        return roots.stream().map(root -> "--add-dir=" + root).toList();
    }

    /** Onboarding is over beside a login and in a window with a key; a window also trusts its directory. */
    @Override
    public List<SetupFile> initialisers(SeedFacts facts) {
        if (!facts.loginPresent() && !(facts.apiKey() && facts.window())) {
            return List.of();
        }
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("hasCompletedOnboarding", true);
        if (facts.window()) {
            state.put("projects", Map.of(facts.workingDirectory().toString(), Map.of("hasTrustDialogAccepted", true)));
        }
        return List.of(new SetupFile(STATE, CanonicalJson.write(state), false));
    }

    @Override
    public boolean hasConversation(Path home, String conversationId) {
        String file = conversationId + ".jsonl";
        return PrivateHome.holds(
                home, HISTORY, 1, path -> PrivateHome.name(path).equals(file) && PrivateHome.isFile(path));
    }
}
