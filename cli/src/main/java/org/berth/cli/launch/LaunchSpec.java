package org.berth.cli.launch;

import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.berth.cli.api.Json;
import org.berth.cli.terminal.Terminal;

/**
 * What to launch. Source: placement.md, Launch request.
 *
 * @param attemptId the attempt's id
 * @param command the executable and its arguments
 * @param environment name to value
 * @param environmentRefs name to a reference of the host
 * @param input whether stdin follows over the stream; else it is closed from the beginning
 * @param window the terminal's size; null for pipes
 * @param scope direct_process, process_group or contained_tree
 * @param log whether the supervisor keeps a log besides
 * @param policy which policy of the host rules the launch
 */
public record LaunchSpec(
        String attemptId,
        List<String> command,
        Map<String, String> environment,
        Map<String, String> environmentRefs,
        boolean input,
        Terminal.Size window,
        String scope,
        boolean log,
        Policy policy)
        implements Launch {
    /** The name of the working directory's resource. */
    private static final String WORKING_DIRECTORY = "cwd";

    private static final SecureRandom RANDOM = new SecureRandom();

    /** {@code bytes} random bytes as lower-case hex digits. */
    public static String random(int bytes) {
        byte[] id = new byte[bytes];
        RANDOM.nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    @Override
    public String access() {
        return "write";
    }

    @Override
    public String route() {
        return "/api/placement/attempts";
    }

    @Override
    public JsonObject attempt(JsonObject answer) {
        return answer;
    }

    @Override
    public JsonObject request(String ownerId, String grantRef) {
        JsonObjectBuilder request = Json.object()
                .add("idempotency_key", "cli-" + random(16))
                .add("owner_id", ownerId)
                .add("owner_incarnation", 1)
                .add("action_id", "berth-run")
                .add("attempt_id", attemptId)
                .add("binding_ref", policy.name())
                .add("binding_digest", policy.bindingDigest())
                .add("policy_ref", policy.name())
                .add("profile_id", policy.profileId())
                .add("profile_digest", policy.profileDigest());
        if (policy.configurationDigest() != null) {
            request.add("configuration_digest", policy.configurationDigest());
        }
        return request.add("launch", launch(grantRef))
                .add("environment", object(environment))
                .add("environment_refs", object(environmentRefs))
                .add("resources", resources(grantRef))
                .add("projections", Json.array())
                .add("required_cleanup", scope)
                .add("required_exit_observation", "independent")
                .add("output", Json.object().add("recipient", log ? "log" : "stream"))
                .build();
    }

    private JsonObjectBuilder launch(String grantRef) {
        TreeMap<String, String> names = new TreeMap<>(environment);
        names.putAll(environmentRefs);
        JsonObjectBuilder launch = Json.object()
                .add("executable", command.getFirst())
                .add("argv", Json.array(command.subList(1, command.size())))
                .add("environment", Json.array(names.keySet()));
        if (grantRef != null) {
            launch.add("working_directory_ref", WORKING_DIRECTORY);
        }
        if (window != null) {
            launch.add("mode", "window")
                    .add("window", Json.object().add("rows", window.rows()).add("cols", window.columns()));
        } else {
            launch.add("mode", "pipes");
            if (!input) {
                launch.add("stdin", "").add("stdin_eof", true);
            }
        }
        return launch;
    }

    private static JsonArrayBuilder resources(String grantRef) {
        JsonArrayBuilder resources = Json.array();
        if (grantRef != null) {
            resources.add(Json.object()
                    .add("name", WORKING_DIRECTORY)
                    .add("grant_ref", grantRef)
                    .add("root_ref", WORKING_DIRECTORY)
                    .add("subpath", "")
                    .add("access", "write")
                    .add("purpose", "project"));
        }
        return resources;
    }

    private static JsonObjectBuilder object(Map<String, String> values) {
        JsonObjectBuilder object = Json.object();
        values.forEach(object::add);
        return object;
    }
}
