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
import org.berth.placement.CanonicalJson;
import org.berth.placement.LaunchMode;
import org.berth.problem.BerthException;

/**
 * OpenCode. The policy is {@code opencode.json} in a configuration directory of Berth's. It keeps conversations in a database,
 * under ids that it mints, so that a turn goes on with the last one of its directory. It posts no activity: its hooks are
 * plugins in JavaScript. It has no arguments for writable directories, and edits none outside its own. Source: facts of
 * 1.18.33 in docs/drivers.md.
 */
@ApplicationScoped
public class OpenCodeDriver implements AgentDriver {
    /** The one directory whose configuration stands above a project's. Source: facts of 1.18.33. */
    private static final String CONFIG = ".config/berth";

    private static final String DATA = ".local/share/opencode";
    private static final String INSTRUCTIONS = CONFIG + "/berth.md";
    private static final String PROVIDER = "berth";

    private static final DriverDefinition DEFINITION = new DriverDefinition(
            "opencode",
            "1",
            "opencode",
            Profiles.of(Profiles.batch(Input.STDIN_EOF), Profiles.WINDOW),
            Map.of(
                    "XDG_CONFIG_HOME", ".config",
                    "XDG_DATA_HOME", ".local/share",
                    "XDG_STATE_HOME", ".local/state",
                    "XDG_CACHE_HOME", ".cache",
                    "OPENCODE_CONFIG_DIR", CONFIG),
            new DriverDefinition.LoginFile(DATA + "/auth.json", List.of("~/.local/share/opencode/auth.json")),
            List.of(),
            List.of(DATA),
            Set.of(
                    "--model",
                    "-m",
                    "--variant",
                    "--agent",
                    "--auto",
                    "--yolo",
                    "--dangerously-skip-permissions",
                    "--dir",
                    "--share",
                    "--attach",
                    "--port",
                    "--hostname",
                    "--mdns",
                    "--mdns-domain",
                    "--cors",
                    "--username",
                    "-u",
                    "--password",
                    "-p"));

    @Override
    public DriverDefinition definition() {
        return DEFINITION;
    }

    /** An argument with a space would reach the model in quotation marks; standard input comes as it is. */
    @Override
    public AgentCommand command(AgentRun run) {
        DriverProfile profile = run.in(DEFINITION);
        List<String> argv = new ArrayList<>();
        if (profile.mode() == LaunchMode.PIPES) {
            argv.add("run");
        }
        if (run.resume()) {
            argv.add("--continue");
        }
        if (profile.mode() == LaunchMode.PIPES) {
            return AgentCommand.reading(run.prompt(), argv);
        }
        if (run.hasPrompt()) {
            argv.add("--prompt=" + run.prompt());
        }
        return AgentCommand.ofArguments(argv);
    }

    @Override
    public Delivery render(DriverInputs inputs) {
        DEFINITION.profile(inputs.profile());
        List<DeliveredFile> files = new ArrayList<>();
        files.add(new DeliveredFile(CONFIG + "/opencode.json", CanonicalJson.write(config(inputs))));
        if (inputs.instructions() != null) {
            files.add(new DeliveredFile(INSTRUCTIONS, inputs.instructions()));
        }
        return new Delivery(List.of(), files);
    }

    private static Map<String, Object> config(DriverInputs inputs) {
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("$schema", "https://opencode.ai/config.json");
        config.put("autoupdate", false);
        config.put("share", "disabled");
        config.put("permission", permission(inputs));
        config.put("default_agent", "build");
        config.put("agent", Map.of("build", agent(inputs)));
        if (inputs.instructions() != null) {
            config.put(
                    "instructions",
                    List.of(literal("home", inputs.home().resolve(INSTRUCTIONS).toString())));
        }
        if (inputs.endpoint() != null) {
            config.put("provider", Map.of(PROVIDER, provider(inputs)));
            config.put("model", PROVIDER + "/" + model(inputs));
        } else {
            if (inputs.model() != null) {
                config.put("model", model(inputs));
            }
        }
        if (inputs.gateway() != null) {
            config.put("mcp", Map.of("berth", tools(inputs.gateway())));
        }
        return config;
    }

    /** A project's own configuration may speak of this agent, so that it is said here once more. */
    private static Map<String, Object> agent(DriverInputs inputs) {
        Map<String, Object> agent = new LinkedHashMap<>();
        agent.put("permission", permission(inputs));
        if (inputs.effort() != null && inputs.endpoint() == null) {
            agent.put("variant", inputs.effort());
        }
        return agent;
    }

    /** Nobody answers a batch. Source: its own modes for one tool are allow, ask and deny. */
    private static Map<String, Object> permission(DriverInputs inputs) {
        String asked = Profiles.isWindow(inputs.profile()) ? "ask" : "deny";
        Map<String, Object> permission = new LinkedHashMap<>();
        permission.put("edit", inputs.edits() ? "allow" : "deny");
        permission.put("bash", inputs.edits() ? asked : "deny");
        permission.put("external_directory", asked);
        return permission;
    }

    private static Map<String, Object> provider(DriverInputs inputs) {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("baseURL", literal("endpoint", inputs.endpoint()));
        if (inputs.keyVariable() != null) {
            options.put("apiKey", "{env:" + inputs.keyVariable() + "}");
        }
        Map<String, Object> model = new LinkedHashMap<>();
        if (inputs.effort() != null) {
            model.put("options", Map.of("reasoningEffort", inputs.effort()));
        }
        Map<String, Object> provider = new LinkedHashMap<>();
        provider.put("npm", "@ai-sdk/openai-compatible");
        provider.put("name", PROVIDER);
        provider.put("options", options);
        provider.put("models", Map.of(model(inputs), model));
        return provider;
    }

    private static Map<String, Object> tools(DriverInputs.Gateway gateway) {
        Map<String, Object> server = new LinkedHashMap<>();
        server.put("type", "remote");
        server.put("url", literal("gateway", gateway.toolsUrl()));
        server.put("enabled", true);
        server.put("oauth", false);
        server.put("headers", Map.of("Authorization", "Bearer {env:" + gateway.toolsVariable() + "}"));
        return server;
    }

    private static String model(DriverInputs inputs) {
        if (inputs.model() == null) {
            throw BerthException.invalid("driver opencode needs the policy's model beside an endpoint");
        }
        return literal("model", inputs.model());
    }

    /** The program replaces references in every text of its configuration. */
    private static String literal(String field, String text) {
        if (text.contains("{env:") || text.contains("{file:")) {
            throw BerthException.invalid(field + " of the policy must not hold {env:…} or {file:…}");
        }
        return text;
    }

    @Override
    public boolean hasConversation(Path home, String conversationId) {
        return PrivateHome.holds(
                home, DATA, 0, path -> PrivateHome.name(path).equals("opencode.db") && PrivateHome.isFile(path));
    }
}
