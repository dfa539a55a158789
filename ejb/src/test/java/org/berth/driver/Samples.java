package org.berth.driver;

import java.nio.file.Path;
import java.util.List;
import org.berth.driver.shipped.AgyDriver;
import org.berth.driver.shipped.ClaudeDriver;
import org.berth.driver.shipped.CodexDriver;
import org.berth.driver.shipped.GrokDriver;
import org.berth.driver.shipped.OpenCodeDriver;

/** Inputs that every test of the shipped drivers shares. */
final class Samples {
    static final Path HOME = Path.of("/state/placement/attempts/0123/home");
    static final Path WORK = Path.of("/work/project");
    static final String CONVERSATION = "6f1c3b1e-0a55-4f0e-9a7e-2f6f1d9c8b7a";
    static final DriverInputs.Gateway GATEWAY = new DriverInputs.Gateway(
            "http://127.0.0.1:7001/mcp", "BERTH_TOOLS_TOKEN", "http://127.0.0.1:7002/hooks", "BERTH_HOOKS_TOKEN");

    private Samples() {}

    static List<AgentDriver> drivers() {
        return List.of(new AgyDriver(), new ClaudeDriver(), new CodexDriver(), new GrokDriver(), new OpenCodeDriver());
    }

    static DriverInputs plain(String profile) {
        return new DriverInputs(profile, null, null, null, false, null, null, null, HOME);
    }

    /** Everything that a policy can select. */
    static DriverInputs full(String profile, String endpoint) {
        return new DriverInputs(
                profile,
                "model-1",
                "high",
                "Be brief.",
                true,
                endpoint,
                endpoint == null ? null : "MODEL_KEY",
                GATEWAY,
                HOME);
    }

    static AgentRun run(String profile, String prompt) {
        return new AgentRun(profile, prompt, null, false);
    }

    static AgentRun first(String profile, String prompt) {
        return new AgentRun(profile, prompt, CONVERSATION, false);
    }

    static AgentRun next(String profile, String prompt) {
        return new AgentRun(profile, prompt, CONVERSATION, true);
    }

    static AgentDriver.SeedFacts seed(boolean loginPresent, boolean apiKey, boolean window) {
        return new AgentDriver.SeedFacts(loginPresent, apiKey, window, WORK, HOME);
    }
}
