package org.berth.placement.service;

import java.nio.file.Files;
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
import org.berth.placement.LaunchMode;

/** A driver of no real program: its conversations are files below {@code chats} of the home. */
final class FixtureDriver implements AgentDriver {
    static final String NAME = "fixture";

    @Override
    public DriverDefinition definition() {
        Map<String, DriverProfile> profiles = new LinkedHashMap<>();
        profiles.put("batch", new DriverProfile("batch", LaunchMode.PIPES, Input.STDIN_EOF, true));
        profiles.put("plain", new DriverProfile("plain", LaunchMode.PIPES, Input.ARGUMENT, true));
        profiles.put("session", new DriverProfile("session", LaunchMode.PIPES, Input.STREAM_JSON, true));
        profiles.put("window", new DriverProfile("window", LaunchMode.WINDOW, Input.TERMINAL, true));
        return new DriverDefinition(
                NAME,
                "1",
                "fixture-agent",
                profiles,
                Map.of("FIXTURE_HOME", ".fixture"),
                new DriverDefinition.LoginFile(".fixture/login", List.of("~/.fixture/login")),
                List.of(),
                List.of(".fixture"),
                Set.of("--model"));
    }

    @Override
    public AgentCommand command(AgentRun run) {
        List<String> argv = new ArrayList<>(List.of("--profile", run.profile()));
        if (run.conversationId() != null) {
            argv.addAll(List.of(run.resume() ? "--resume" : "--begin", run.conversationId()));
        }
        return switch (run.profile()) {
            case "session" -> new AgentCommand(argv, "{\"say\":\"" + run.prompt() + "\"}\n", false, true);
            case "window" -> new AgentCommand(argv, null, false, false);
            case "plain" -> new AgentCommand(List.of("--", run.prompt()), null, false, false);
            default -> new AgentCommand(argv, run.prompt(), true, false);
        };
    }

    @Override
    public Delivery render(DriverInputs inputs) {
        return Delivery.NONE;
    }

    @Override
    public List<String> writableRoots(String profile, boolean edits, List<Path> roots) {
        return List.of();
    }

    @Override
    public List<SetupFile> initialisers(SeedFacts facts) {
        return List.of();
    }

    @Override
    public boolean hasConversation(Path home, String conversationId) {
        return Files.exists(home.resolve("chats").resolve(conversationId));
    }
}
