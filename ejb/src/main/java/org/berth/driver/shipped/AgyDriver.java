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
import org.berth.placement.CanonicalJson;
import org.berth.placement.LaunchMode;
import org.berth.problem.BerthException;

/**
 * Antigravity CLI. Tools and instructions are a customization root of their own below the private home, given as a further
 * workspace: the global one below {@code .gemini} stays the program's. It mints the ids of its conversations, so that a
 * turn goes on with the last one. It posts no activity: its hooks are programs. The program was not at hand; what is known
 * of it, and from where, stands in docs/drivers.md.
 */
@ApplicationScoped
public class AgyDriver implements AgentDriver {
    private static final String PROGRAM = ".gemini/antigravity-cli";
    private static final String HISTORY = PROGRAM + "/conversations";
    private static final String CUSTOMIZATION = "customization";

    /** Its own bound on a turn ends long ones; placement's stop is the bound. Source: agy's --print-timeout, 5 minutes. */
    private static final String NO_BOUND = "--print-timeout=24h";

    private static final DriverDefinition DEFINITION = new DriverDefinition(
            "agy",
            "1",
            "agy",
            Profiles.of(Profiles.batch(Input.ARGUMENT), Profiles.WINDOW),
            Map.of(),
            new DriverDefinition.LoginFile(
                    PROGRAM + "/antigravity-oauth-token", List.of("~/.gemini/antigravity-cli/antigravity-oauth-token")),
            List.of(),
            List.of(HISTORY, PROGRAM + "/brain"),
            Set.of(
                    "--model",
                    "--effort",
                    "--mode",
                    "--sandbox",
                    "--dangerously-skip-permissions",
                    "--yolo",
                    "--trust",
                    "--add-dir",
                    "--project",
                    "--new-project",
                    "--log-file"));

    @Override
    public DriverDefinition definition() {
        return DEFINITION;
    }

    @Override
    public AgentCommand command(AgentRun run) {
        DriverProfile profile = run.in(DEFINITION);
        List<String> argv = new ArrayList<>();
        if (run.resume()) {
            argv.add("--continue");
        }
        if (profile.mode() == LaunchMode.PIPES) {
            argv.addAll(List.of(NO_BOUND, "--prompt=" + run.prompt()));
        } else if (run.hasPrompt()) {
            argv.add("--prompt-interactive=" + run.prompt());
        }
        return AgentCommand.ofArguments(argv);
    }

    @Override
    public Delivery render(DriverInputs inputs) {
        DEFINITION.profile(inputs.profile());
        if (inputs.endpoint() != null) {
            throw BerthException.invalid("driver agy takes no endpoint: its program knows only its vendor's");
        }
        List<DeliveredFile> files = new ArrayList<>();
        if (inputs.gateway() != null) {
            files.add(new DeliveredFile(
                    CUSTOMIZATION + "/.agents/mcp_config.json", CanonicalJson.write(tools(inputs.gateway()))));
        }
        if (inputs.instructions() != null) {
            files.add(new DeliveredFile(CUSTOMIZATION + "/.agents/rules/berth.md", inputs.instructions()));
        }
        List<String> arguments = new ArrayList<>();
        arguments.add(inputs.edits() ? "--mode=accept-edits" : "--mode=plan");
        if (inputs.model() != null) {
            arguments.add("--model=" + inputs.model());
        }
        if (inputs.effort() != null) {
            arguments.add("--effort=" + inputs.effort());
        }
        if (!files.isEmpty()) {
            arguments.add("--add-dir=" + customization(inputs.home()));
        }
        return new Delivery(arguments, files);
    }

    private static Map<String, Object> tools(DriverInputs.Gateway gateway) {
        Map<String, Object> server = new LinkedHashMap<>();
        server.put("serverUrl", gateway.toolsUrl());
        server.put("headers", Map.of("Authorization", "Bearer ${" + gateway.toolsVariable() + "}"));
        return Map.of("mcpServers", Map.of("berth", server));
    }

    private static Path customization(Path home) {
        return home.resolve(CUSTOMIZATION);
    }

    @Override
    public List<String> writableRoots(String profile, boolean edits, List<Path> roots) {
        if (!edits || !DEFINITION.profile(profile).edits()) {
            return List.of();
        }
        return roots.stream().map(root -> "--add-dir=" + root).toList();
    }

    /** A directory that is not trusted is refused in a batch and asked about in a window; a tool not allowed, too. */
    @Override
    public List<SetupFile> initialisers(SeedFacts facts) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("permissions", Map.of("allow", List.of("mcp(*)")));
        settings.put(
                "trustedWorkspaces",
                List.of(
                        facts.workingDirectory().toString(),
                        customization(facts.home()).toString()));
        return List.of(new SetupFile(PROGRAM + "/settings.json", CanonicalJson.write(settings), false));
    }

    @Override
    public boolean hasConversation(Path home, String conversationId) {
        return PrivateHome.holds(home, HISTORY, 0, PrivateHome::isFile);
    }
}
