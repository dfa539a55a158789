package org.berth.acceptance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Builds launch requests, each with ids of its own. {@code aLaunch().of("sh", "-c", "exit 7")} is owned by the owner
 * token's principal under the policy {@code default}. Source: placement.md, Launch request.
 */
public final class LaunchRequests {
    private static final String NO_DIGEST = "0".repeat(64);

    private final Map<String, Object> tree = new LinkedHashMap<>();
    private final Map<String, Object> launch = new LinkedHashMap<>();

    private LaunchRequests() {
        String unique = UUID.randomUUID().toString().substring(0, 13);
        tree.put("idempotency_key", "key-" + unique);
        tree.put("owner_id", "owner");
        tree.put("owner_incarnation", 1L);
        tree.put("action_id", "action-" + unique);
        tree.put("attempt_id", "attempt-" + unique);
        tree.put("binding_ref", "default");
        tree.put("binding_digest", NO_DIGEST);
        tree.put("policy_ref", "default");
        tree.put("profile_id", "batch");
        tree.put("profile_digest", NO_DIGEST);
        tree.put("launch", launch);
        tree.put("required_cleanup", "process_group");
        tree.put("required_exit_observation", "independent");
        of("/bin/true");
    }

    public static LaunchRequests aLaunch() {
        return new LaunchRequests();
    }

    public LaunchRequests of(String executable, String... arguments) {
        launch.put("executable", executable);
        launch.put("argv", new ArrayList<>(List.of(arguments)));
        return this;
    }

    /** A script that {@code sh} runs. */
    public LaunchRequests script(String script) {
        return of("sh", "-c", script);
    }

    public LaunchRequests owner(String owner) {
        return with("owner_id", owner);
    }

    public LaunchRequests environment(String name, String value) {
        return put("environment", name, value);
    }

    public LaunchRequests reference(String name, String reference) {
        return put("environment_refs", name, reference);
    }

    public LaunchRequests timeout(String name, long millis) {
        return put("timeouts", name, millis);
    }

    public LaunchRequests cleanup(String scope) {
        return with("required_cleanup", scope);
    }

    /** Output goes to the log. */
    public LaunchRequests logged() {
        return with("output", new LinkedHashMap<>(Map.of("recipient", "log")));
    }

    public LaunchRequests stdin(String text, boolean eof) {
        launch.put("stdin", text);
        launch.put("stdin_eof", eof);
        return this;
    }

    public LaunchRequests window(long rows, long columns) {
        launch.put("mode", "window");
        launch.put("window", new LinkedHashMap<>(Map.of("rows", rows, "cols", columns)));
        return this;
    }

    /** A directory by grant; purpose project, output, cache or session. */
    public LaunchRequests resource(String name, String grant, String access, String purpose) {
        Map<String, Object> resource = new LinkedHashMap<>();
        resource.put("name", name);
        resource.put("grant_ref", grant);
        resource.put("root_ref", "root");
        resource.put("subpath", "");
        resource.put("access", access);
        resource.put("purpose", purpose);
        @SuppressWarnings("unchecked")
        List<Object> resources = (List<Object>) tree.computeIfAbsent("resources", _ -> new ArrayList<>());
        resources.add(resource);
        return this;
    }

    /** Runs in the directory of {@code grant}. */
    public LaunchRequests workingDirectory(String grant) {
        resource("work", grant, "write", "project");
        return launch("working_directory_ref", "work");
    }

    /** Keeps its home under {@code session}, in the session resource of {@code grant}. */
    public LaunchRequests session(String session, String grant) {
        resource("home", grant, "write", "session");
        launch("home_ref", "home");
        return with("session_ref", session);
    }

    /** Any member of the request. */
    public LaunchRequests with(String name, Object value) {
        tree.put(name, value);
        return this;
    }

    /** Any member of {@code launch}. */
    public LaunchRequests launch(String name, Object value) {
        launch.put(name, value);
        return this;
    }

    private LaunchRequests put(String object, String name, Object value) {
        @SuppressWarnings("unchecked")
        Map<String, Object> map = (Map<String, Object>) tree.computeIfAbsent(object, _ -> new LinkedHashMap<>());
        map.put(name, value);
        return this;
    }

    public String attemptId() {
        return (String) tree.get("attempt_id");
    }

    /** The request itself; a change to it changes the next {@code tree()} too. */
    public Map<String, Object> tree() {
        return tree;
    }
}
