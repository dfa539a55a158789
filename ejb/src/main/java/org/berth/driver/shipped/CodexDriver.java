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
import org.berth.driver.DeliveredFile;
import org.berth.driver.Delivery;
import org.berth.driver.DriverDefinition;
import org.berth.driver.DriverInputs;
import org.berth.driver.DriverProfile;
import org.berth.driver.DriverProfile.Input;
import org.berth.driver.SetupFile;
import org.berth.driver.TomlText;
import org.berth.placement.LaunchMode;

/**
 * Codex. The policy is {@code config.toml} in its home. It mints the ids of its conversations, so that a turn goes on
 * with the last one of the private home. It posts no activity: its hooks are programs, and it is given none. Source:
 * facts of 0.171.0 in docs/drivers.md.
 */
@ApplicationScoped
public class CodexDriver implements AgentDriver {
    private static final String CONFIG = ".codex";
    private static final String HISTORY = CONFIG + "/sessions";

    /** A second layer of configuration, which {@code --profile} selects: what only the seeding of a home knows. */
    private static final String WINDOW_LAYER = "berth";

    /** Year, month and day lie between the directory of conversations and their files. */
    private static final int HISTORY_DEPTH = 3;

    private static final DriverDefinition DEFINITION = new DriverDefinition(
            "codex",
            "1",
            "codex",
            Profiles.of(Profiles.batch(Input.STDIN_EOF), Profiles.WINDOW),
            Map.of("CODEX_HOME", CONFIG),
            new DriverDefinition.LoginFile(CONFIG + "/auth.json", List.of("~/.codex/auth.json")),
            List.of(),
            List.of(HISTORY),
            Set.of(
                    "--config",
                    "-c",
                    "--profile",
                    "-p",
                    "--model",
                    "-m",
                    "--sandbox",
                    "-s",
                    "--ask-for-approval",
                    "-a",
                    "--approve-for-me",
                    "--full-auto",
                    "--yolo",
                    "--dangerously-bypass-approvals-and-sandbox",
                    "--dangerously-bypass-hook-trust",
                    "--trust",
                    "--add-dir",
                    "--cd",
                    "-C",
                    "--worktree",
                    "--oss",
                    "--local-provider",
                    "--enable",
                    "--disable",
                    "--ignore-user-config",
                    "--ignore-rules",
                    "--remote",
                    "--remote-auth-token-env"));

    @Override
    public DriverDefinition definition() {
        return DEFINITION;
    }

    @Override
    public AgentCommand command(AgentRun run) {
        DriverProfile profile = run.in(DEFINITION);
        List<String> argv = new ArrayList<>();
        if (profile.mode() == LaunchMode.PIPES) {
            argv.addAll(List.of("exec", "--skip-git-repo-check", "--color=never"));
            if (run.resume()) {
                argv.addAll(List.of("resume", "--last", "--all"));
            }
            argv.add("-");
            return AgentCommand.reading(run.prompt(), argv);
        }
        if (run.resume()) {
            argv.addAll(List.of("resume", "--last", "--all", "--include-non-interactive"));
        }
        if (run.hasPrompt()) {
            argv.addAll(run.resume() ? List.of(unlikeOption(run.prompt())) : List.of("--", run.prompt()));
        }
        return AgentCommand.ofArguments(argv);
    }

    /** Behind an option the meaning of {@code --} depends on that option; a space in front does not. */
    private static String unlikeOption(String prompt) {
        return prompt.startsWith("-") ? " " + prompt : prompt;
    }

    @Override
    public Delivery render(DriverInputs inputs) {
        DEFINITION.profile(inputs.profile());
        DeliveredFile config = new DeliveredFile(CONFIG + "/config.toml", TomlText.document(config(inputs)));
        return new Delivery(
                Profiles.isWindow(inputs.profile()) ? List.of("--profile=" + WINDOW_LAYER) : List.of(),
                List.of(config));
    }

    private static Map<String, Object> config(DriverInputs inputs) {
        Map<String, Object> config = new LinkedHashMap<>();
        put(config, "model", inputs.model());
        put(config, "model_reasoning_effort", inputs.effort());
        put(config, "developer_instructions", inputs.instructions());
        config.put("sandbox_mode", inputs.edits() ? "workspace-write" : "read-only");
        // Nobody answers a batch; and who may not edit has nothing to ask for.
        config.put("approval_policy", inputs.edits() && Profiles.isWindow(inputs.profile()) ? "on-request" : "never");
        config.put("check_for_update_on_startup", false);
        // A window would start a server in a session of its own, which outlives the attempt and escapes its group.
        config.put("features", Map.of("daemon_auto_start", false));
        if (inputs.endpoint() != null) {
            config.put("model_provider", "berth");
            config.put("model_providers", Map.of("berth", provider(inputs)));
        }
        if (inputs.gateway() != null) {
            config.put("mcp_servers", Map.of("berth", tools(inputs.gateway())));
        }
        Secrets.excluded(inputs).ifPresent(policy -> config.put("shell_environment_policy", policy));
        return config;
    }

    private static Map<String, Object> provider(DriverInputs inputs) {
        Map<String, Object> provider = new LinkedHashMap<>();
        provider.put("name", "berth");
        provider.put("base_url", inputs.endpoint());
        put(provider, "env_key", inputs.keyVariable());
        provider.put("wire_api", "responses");
        return provider;
    }

    /** Without an approval in advance the program refuses every call of a tool in a batch. Source: facts of 0.171.0. */
    private static Map<String, Object> tools(DriverInputs.Gateway gateway) {
        Map<String, Object> server = new LinkedHashMap<>();
        server.put("url", gateway.toolsUrl());
        server.put("bearer_token_env_var", gateway.toolsVariable());
        server.put("default_tools_approval_mode", "approve");
        return server;
    }

    private static void put(Map<String, Object> into, String key, String value) {
        if (value != null) {
            into.put(key, value);
        }
    }

    @Override
    public List<String> writableRoots(String profile, boolean edits, List<Path> roots) {
        if (!edits || roots.isEmpty() || !DEFINITION.profile(profile).edits()) {
            return List.of();
        }
        List<String> paths = roots.stream().map(Path::toString).toList();
        return List.of("-c", "sandbox_workspace_write.writable_roots=" + TomlText.value(paths));
    }

    /** A window asks whether its directory is trusted, unless its layer says so. */
    @Override
    public List<SetupFile> initialisers(SeedFacts facts) {
        if (!facts.window()) {
            return List.of();
        }
        Map<String, Object> trusted = Map.of(facts.workingDirectory().toString(), Map.of("trust_level", "trusted"));
        return List.of(new SetupFile(
                CONFIG + "/" + WINDOW_LAYER + ".config.toml", TomlText.document(Map.of("projects", trusted)), false));
    }

    @Override
    public boolean hasConversation(Path home, String conversationId) {
        return PrivateHome.holds(home, HISTORY, HISTORY_DEPTH, CodexDriver::isConversation);
    }

    private static boolean isConversation(Path path) {
        String name = PrivateHome.name(path);
        return name.startsWith("rollout-") && name.endsWith(".jsonl") && PrivateHome.isFile(path);
    }
}
