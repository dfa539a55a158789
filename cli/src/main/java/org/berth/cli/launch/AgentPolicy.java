package org.berth.cli.launch;

import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.berth.cli.Failure;
import org.berth.cli.api.Json;

/**
 * A host policy that runs an agent.
 *
 * @param name the policy's name
 * @param driver the agent's program
 * @param profile batch, session or window
 * @param edits whether the agent may edit files
 * @param variables the names of the variables that it sets
 */
public record AgentPolicy(String name, String driver, String profile, boolean edits, Set<String> variables) {
    private static final String COMMAND = "command";
    private static final String WINDOW = "window";
    private static final String SESSION = "session";

    /**
     * The policy that is meant: the named one, else the only one that fits.
     *
     * @param host the answer of {@code GET /api/placement/host}
     * @param name null for any
     * @param driver null for any
     * @param window whether a window is asked for; without it another profile goes before a window
     * @throws Failure saying which there are, when none or several fit
     */
    public static AgentPolicy choose(JsonObject host, String name, String driver, boolean window) {
        List<AgentPolicy> all = Json.object(host, "policies").entrySet().stream()
                .map(AgentPolicy::of)
                .toList();
        if (name != null) {
            return named(all, name, window);
        }
        List<AgentPolicy> fit = all.stream()
                .filter(each -> driver == null ? !each.driver.equals(COMMAND) : each.driver.equals(driver))
                .filter(each -> !window || each.isWindow())
                .toList();
        if (fit.size() > 1 && !window) {
            List<AgentPolicy> onPipes =
                    fit.stream().filter(each -> !each.isWindow()).toList();
            fit = onPipes.isEmpty() ? fit : onPipes;
        }
        return switch (fit.size()) {
            case 0 -> throw none(driver, window);
            case 1 -> fit.getFirst();
            default ->
                throw Failure.failed(
                        "Several policies fit: "
                                + fit.stream().map(AgentPolicy::described).collect(Collectors.joining(", ")) + ".",
                        "Choose one with --policy.");
        };
    }

    public boolean isWindow() {
        return profile.equals(WINDOW);
    }

    /** Whether the agent reads further turns from its stdin. */
    public boolean isSession() {
        return profile.equals(SESSION);
    }

    private static AgentPolicy named(List<AgentPolicy> all, String name, boolean window) {
        AgentPolicy found = all.stream()
                .filter(each -> each.name.equals(name))
                .findFirst()
                .orElseThrow(() -> Failure.failed(
                        "The host has no policy \"" + name + "\".", "`berth host show` lists its policies."));
        if (found.driver.equals(COMMAND)) {
            throw Failure.failed(
                    "The policy \"" + name + "\" runs commands, not an agent.",
                    "Use `berth run`, or name another policy; `berth host show` lists them.");
        }
        if (window && !found.isWindow()) {
            throw Failure.failed(
                    "The policy " + found.described() + " is no window.",
                    "Leave out --window, or name a policy whose profile is window.");
        }
        return found;
    }

    private static Failure none(String driver, boolean window) {
        return Failure.failed(
                "No policy of the host " + (driver == null ? "runs an agent" : "has the driver " + driver)
                        + (window ? " in a window." : "."),
                "Add one to host.yaml and call `berth host reload`; `berth agent drivers` lists the drivers.");
    }

    private String described() {
        return name + " (" + driver + ", " + profile + ")";
    }

    private static AgentPolicy of(Map.Entry<String, JsonValue> entry) {
        JsonObject policy = entry.getValue() instanceof JsonObject object ? object : JsonValue.EMPTY_JSON_OBJECT;
        String driver = Json.text(policy, "driver");
        String profile = Json.text(policy, "profile");
        return new AgentPolicy(
                entry.getKey(),
                driver == null ? COMMAND : driver,
                profile == null ? "batch" : profile,
                policy.getBoolean("edits", false),
                Json.object(policy, "environment").keySet());
    }
}
