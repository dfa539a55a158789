package org.berth.placement;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.problem.BerthException;

/**
 * Strict decoding of what an agent is asked to do. What a launch request has too is checked where that request is
 * decoded. Trees are as in {@link PrepareRequestDecoder}.
 */
public final class AgentRunDecoder {
    /** As large as a launch's first input. Source: placement.md, Launch request, launch.stdin. */
    static final int MOST_PROMPT_BYTES = LaunchDecoder.MOST_STDIN_BYTES;

    /** What a git ref and a revision keep to with room; git's own rules are the preparer's. */
    private static final int MOST_BRANCH_BYTES = 255;

    /** What a resource's grant or root is called where the host's mode asks for the other one. */
    private static final String UNNAMED = "cwd";

    private static final List<String> PASSED = List.of("environment", "timeouts", "output", "required_cleanup");
    private static final Set<String> FIELDS = Set.of(
            "policy_ref",
            "driver",
            "prompt",
            "session_ref",
            "resume",
            "directory",
            "worktree",
            "isolated",
            "window",
            "environment",
            "attempt_id",
            "idempotency_key",
            "action_id",
            "owner_id",
            "timeouts",
            "output",
            "required_cleanup");

    private AgentRunDecoder() {}

    /** @throws BerthException INVALID, naming the field by its path and the rule it breaks */
    public static AgentRunRequest decode(Map<String, Object> json) {
        RequestNode run = new RequestNode("", json, FIELDS);
        String sessionRef = run.has("session_ref") ? RequestText.ref("session_ref", run.text("session_ref")) : null;
        Boolean resume = run.has("resume") ? run.flag("resume") : null;
        if (Boolean.TRUE.equals(resume) && sessionRef == null) {
            throw BerthException.invalid("resume needs session_ref, whose conversation goes on");
        }
        AgentRunRequest.Directory directory = directory(run);
        return new AgentRunRequest(
                RequestText.ref("policy_ref", run.text("policy_ref")),
                identifier(run, "driver"),
                run.has("prompt") ? prompt(run.text("prompt")) : null,
                sessionRef,
                resume,
                directory,
                options(run, directory),
                window(run),
                identifier(run, "attempt_id"),
                identifier(run, "idempotency_key"),
                identifier(run, "action_id"),
                identifier(run, "owner_id"),
                passed(json),
                digest(json));
    }

    private static String digest(Map<String, Object> json) {
        try {
            return CanonicalJson.sha256(json);
        } catch (IllegalArgumentException e) {
            throw BerthException.invalid("the body holds a number out of range");
        }
    }

    private static String identifier(RequestNode run, String name) {
        return run.has(name) ? RequestText.identifier(name, run.text(name)) : null;
    }

    private static String prompt(String prompt) {
        RequestText.withoutNul("prompt", RequestText.atMost(MOST_PROMPT_BYTES, "prompt", prompt));
        if (prompt.isBlank()) {
            throw BerthException.invalid("prompt must not be blank");
        }
        return prompt;
    }

    private static AgentRunRequest.Directory directory(RequestNode run) {
        if (!run.has("directory")) {
            return null;
        }
        RequestNode node = run.child("directory", Set.of("grant_ref", "root_ref", "subpath", "access"));
        if (!node.has("grant_ref") && !node.has("root_ref")) {
            throw BerthException.invalid(
                    "directory.grant_ref is required; on a host in mode host_configured," + " directory.root_ref");
        }
        return new AgentRunRequest.Directory(
                reference(node, "grant_ref"),
                reference(node, "root_ref"),
                node.has("subpath") ? PrepareRequestDecoder.subpath("directory.subpath", node.text("subpath")) : "",
                node.has("access") ? node.word("access", ResourceAccess.class) : null);
    }

    private static String reference(RequestNode node, String name) {
        return node.has(name) ? RequestText.ref(node.path(name), node.text(name)) : UNNAMED;
    }

    private static Map<String, Object> options(RequestNode run, AgentRunRequest.Directory directory) {
        Map<String, Object> options = new LinkedHashMap<>();
        Object worktree = worktree(run);
        if (worktree != null) {
            options.put(AgentRunRequest.WORKTREE, worktree);
        }
        if (run.flag(AgentRunRequest.ISOLATED)) {
            options.put(AgentRunRequest.ISOLATED, true);
        }
        if (directory == null && !options.isEmpty()) {
            throw BerthException.invalid(options.keySet().iterator().next() + " needs directory");
        }
        return Collections.unmodifiableMap(options);
    }

    private static Object worktree(RequestNode run) {
        return switch (run.has(AgentRunRequest.WORKTREE) ? run.raw(AgentRunRequest.WORKTREE) : Boolean.FALSE) {
            case Boolean wanted -> wanted ? true : null;
            case Map<?, ?> _ -> {
                RequestNode node = run.child(AgentRunRequest.WORKTREE, Set.of("branch", "base"));
                Map<String, Object> chosen = new LinkedHashMap<>();
                for (String name : List.of("branch", "base")) {
                    if (node.has(name)) {
                        chosen.put(name, revision(node.path(name), node.text(name)));
                    }
                }
                yield chosen.isEmpty() ? true : Collections.unmodifiableMap(chosen);
            }
            case null, default ->
                throw BerthException.invalid(AgentRunRequest.WORKTREE + " must be true or {branch, base}");
        };
    }

    private static String revision(String path, String text) {
        RequestText.withoutNul(path, RequestText.atMost(MOST_BRANCH_BYTES, path, text));
        if (text.isBlank() || text.startsWith("-")) {
            throw BerthException.invalid(path + " must name a branch or a revision");
        }
        return text;
    }

    private static TerminalSize window(RequestNode run) {
        return run.has("window") ? LaunchDecoder.size(run.child("window", Set.of("rows", "cols"))) : null;
    }

    private static Map<String, Object> passed(Map<String, Object> json) {
        Map<String, Object> passed = new LinkedHashMap<>();
        for (String name : PASSED) {
            if (json.containsKey(name)) {
                passed.put(name, json.get(name));
            }
        }
        return Collections.unmodifiableMap(passed);
    }
}
