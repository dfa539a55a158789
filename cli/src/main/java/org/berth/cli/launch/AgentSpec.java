package org.berth.cli.launch;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.util.Map;
import org.berth.cli.api.Json;
import org.berth.cli.terminal.Terminal;

/**
 * A run of an agent. The host's policy says with which program, model and credentials.
 *
 * @param attemptId the attempt's id
 * @param policy the policy
 * @param prompt what the agent is asked; null only in a window
 * @param sessionRef the retained home; null for a home of the attempt's own
 * @param resume whether the conversation goes on; null for what the session tells
 * @param workplace where in the working directory's place it works
 * @param environment name to value
 * @param window the terminal's size; null for pipes
 * @param log whether the supervisor keeps a log besides
 */
public record AgentSpec(
        String attemptId,
        AgentPolicy policy,
        String prompt,
        String sessionRef,
        Boolean resume,
        Workplace workplace,
        Map<String, String> environment,
        Terminal.Size window,
        boolean log)
        implements Launch {
    private static final String WORKING_DIRECTORY = "cwd";

    /**
     * What stands for the working directory.
     *
     * @param isolated a copy of it, handed back at the end
     * @param worktree a Git worktree on a branch of its own
     * @param branch that branch; null for one that Berth names
     */
    public record Workplace(boolean isolated, boolean worktree, String branch) {
        public static final Workplace ITSELF = new Workplace(false, false, null);

        /** Whether it is the working directory itself. */
        public boolean isItself() {
            return !isolated && !worktree;
        }
    }

    @Override
    public String access() {
        return policy.edits() || !workplace.isItself() ? "write" : "read";
    }

    @Override
    public String route() {
        return "/api/placement/agent-runs";
    }

    @Override
    public JsonObject attempt(JsonObject answer) {
        return Json.object(answer, "attempt");
    }

    @Override
    public JsonObject request(String ownerId, String grantRef) {
        JsonObjectBuilder request = Json.object()
                .add("policy_ref", policy.name())
                .add("driver", policy.driver())
                .add("attempt_id", attemptId)
                .add("idempotency_key", "cli-" + LaunchSpec.random(16))
                .add("owner_id", ownerId)
                .add("action_id", "berth-agent-run");
        Json.add(request, "prompt", prompt);
        Json.add(request, "session_ref", sessionRef);
        if (resume != null) {
            request.add("resume", resume);
        }
        if (grantRef != null) {
            request.add(
                    "directory",
                    Json.object()
                            .add("grant_ref", grantRef)
                            .add("root_ref", WORKING_DIRECTORY)
                            .add("access", access()));
        }
        place(request);
        if (window != null) {
            request.add("window", Json.object().add("rows", window.rows()).add("cols", window.columns()));
        }
        JsonObjectBuilder variables = Json.object();
        environment.forEach(variables::add);
        return request.add("environment", variables)
                .add("output", Json.object().add("recipient", log ? "log" : "stream"))
                .build();
    }

    private void place(JsonObjectBuilder request) {
        if (workplace.isolated()) {
            request.add("isolated", true);
        }
        if (workplace.branch() != null) {
            request.add("worktree", Json.object().add("branch", workplace.branch()));
        } else if (workplace.worktree()) {
            request.add("worktree", true);
        }
    }
}
