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
import org.berth.driver.TomlText;
import org.berth.placement.LaunchMode;
import org.berth.problem.BerthException;

/**
 * Grok Build. Permissions, tools and a provider's endpoint are {@code config.toml} in its home; model, effort and
 * instructions are arguments. It posts no activity: its HTTP hooks carry no header, so that no token could go with them.
 * It has no arguments for writable directories: it runs without a sandbox. Source: facts of 1.0.41 in docs/drivers.md.
 */
@ApplicationScoped
public class GrokDriver implements AgentDriver {
    private static final String CONFIG = ".grok";
    private static final String HISTORY = CONFIG + "/sessions";
    private static final String ENDPOINT = "berth";

    private static final DriverDefinition DEFINITION = new DriverDefinition(
            "grok",
            "1",
            "grok",
            Profiles.of(Profiles.batch(Input.ARGUMENT), Profiles.WINDOW),
            Map.of("GROK_HOME", CONFIG),
            new DriverDefinition.LoginFile(CONFIG + "/auth.json", List.of("~/.grok/auth.json")),
            List.of(),
            List.of(HISTORY),
            Set.of(
                    "--model",
                    "-m",
                    "--reasoning-effort",
                    "--effort",
                    "--rules",
                    "--append-system-prompt",
                    "--system-prompt-override",
                    "--system-prompt",
                    "--permission-mode",
                    "--always-approve",
                    "--yolo",
                    "--allow",
                    "--allowedTools",
                    "--deny",
                    "--disallowedTools",
                    "--tools",
                    "--sandbox",
                    "--trust",
                    "--cwd",
                    "--agent",
                    "--agents",
                    "--worktree",
                    "-w",
                    "--leader-socket",
                    "--debug-file"));

    @Override
    public DriverDefinition definition() {
        return DEFINITION;
    }

    @Override
    public AgentCommand command(AgentRun run) {
        DriverProfile profile = run.in(DEFINITION);
        List<String> argv = new ArrayList<>();
        if (run.conversationId() != null) {
            argv.add((run.resume() ? "--resume=" : "--session-id=") + run.conversationId());
        }
        if (profile.mode() == LaunchMode.PIPES) {
            argv.addAll(List.of("--output-format=plain", "--single=" + run.prompt()));
        } else if (run.hasPrompt()) {
            argv.addAll(List.of("--", run.prompt()));
        }
        return AgentCommand.ofArguments(argv);
    }

    @Override
    public Delivery render(DriverInputs inputs) {
        DEFINITION.profile(inputs.profile());
        if (inputs.endpoint() != null && inputs.model() == null) {
            throw BerthException.invalid("driver grok needs the policy's model beside an endpoint");
        }
        List<String> arguments = new ArrayList<>();
        arguments.add("--permission-mode=default");
        if (inputs.model() != null) {
            arguments.add("--model=" + (inputs.endpoint() == null ? inputs.model() : ENDPOINT));
        }
        if (inputs.effort() != null) {
            arguments.add("--reasoning-effort=" + inputs.effort());
        }
        if (inputs.instructions() != null) {
            arguments.add("--rules=" + inputs.instructions());
        }
        return new Delivery(
                arguments, List.of(new DeliveredFile(CONFIG + "/config.toml", TomlText.document(config(inputs)))));
    }

    private static Map<String, Object> config(DriverInputs inputs) {
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("cli", Map.of("auto_update", false));
        config.put("features", Map.of("telemetry", false));
        config.put("permission", permission(inputs));
        if (inputs.endpoint() != null) {
            config.put("model", Map.of(ENDPOINT, provider(inputs)));
        }
        if (inputs.gateway() != null) {
            config.put("mcp_servers", Map.of("berth", tools(inputs.gateway())));
        }
        Secrets.excluded(inputs).ifPresent(policy -> config.put("shell_environment_policy", policy));
        return config;
    }

    /** A question in a batch ends its turn, so that what nobody can allow is denied in advance. */
    private static Map<String, Object> permission(DriverInputs inputs) {
        List<String> allow = new ArrayList<>();
        List<String> deny = new ArrayList<>();
        (inputs.edits() ? allow : deny).addAll(List.of("Edit", "Write"));
        if (!inputs.edits() || !Profiles.isWindow(inputs.profile())) {
            deny.add("Bash");
        }
        if (inputs.gateway() != null) {
            allow.add("MCPTool(berth__*)");
        }
        Map<String, Object> permission = new LinkedHashMap<>();
        permission.put("allow", allow);
        permission.put("deny", deny);
        return permission;
    }

    private static Map<String, Object> provider(DriverInputs inputs) {
        Map<String, Object> provider = new LinkedHashMap<>();
        provider.put("model", inputs.model());
        provider.put("base_url", inputs.endpoint());
        if (inputs.keyVariable() != null) {
            provider.put("env_key", inputs.keyVariable());
        }
        if (inputs.effort() != null) {
            provider.put("supports_reasoning_effort", true);
        }
        return provider;
    }

    private static Map<String, Object> tools(DriverInputs.Gateway gateway) {
        Map<String, Object> server = new LinkedHashMap<>();
        server.put("url", gateway.toolsUrl());
        server.put("headers", Map.of("Authorization", "Bearer ${" + gateway.toolsVariable() + "}"));
        return server;
    }

    @Override
    public boolean hasConversation(Path home, String conversationId) {
        return PrivateHome.holds(
                home,
                HISTORY,
                1,
                path -> PrivateHome.name(path).equals(conversationId) && PrivateHome.isDirectory(path));
    }
}
