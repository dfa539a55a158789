package org.berth.placement;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A decoded request as a JSON tree that decodes to an equal request. */
final class PrepareRequestEncoder {
    private PrepareRequestEncoder() {}

    static Map<String, Object> encode(PrepareRequest request) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("idempotency_key", request.idempotencyKey());
        tree.put("owner_id", request.ownerId());
        tree.put("owner_incarnation", request.ownerIncarnation());
        tree.put("action_id", request.actionId());
        tree.put("attempt_id", request.attemptId());
        tree.put("binding_ref", request.bindingRef());
        tree.put("binding_digest", request.bindingDigest());
        tree.put("policy_ref", request.policyRef());
        tree.put("profile_id", request.profileId());
        tree.put("profile_digest", request.profileDigest());
        put(tree, "configuration_digest", request.configurationDigest());
        tree.put("launch", launch(request.launch()));
        tree.put("environment", request.environment());
        tree.put("environment_refs", request.environmentRefs());
        tree.put("resources", resources(request.resources()));
        tree.put("projections", request.projections());
        if (request.executable() != null) {
            Map<String, Object> expected = new LinkedHashMap<>();
            expected.put("revision", ExecutableMeasurement.REVISION);
            expected.put("kind", Wire.name(request.executable().kind()));
            expected.put("digest", request.executable().digest());
            tree.put("executable", expected);
        }
        tree.put("options", request.options());
        put(tree, "session_ref", request.sessionRef());
        tree.put("required_cleanup", Wire.name(request.requiredCleanup()));
        tree.put("required_exit_observation", Wire.name(request.requiredExitObservation()));
        tree.put("timeouts", timeouts(request.timeouts()));
        Map<String, Object> output = new LinkedHashMap<>();
        output.put("recipient", Wire.name(request.output().recipient()));
        output.put("truncation", truncation(request.output().truncation()));
        tree.put("output", output);
        return tree;
    }

    private static Map<String, Object> launch(PrepareRequest.Launch launch) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("executable", launch.executable());
        tree.put("argv", launch.argv());
        put(tree, "stdin", launch.stdin());
        tree.put("stdin_eof", launch.stdinEof());
        put(tree, "session_end", launch.sessionEndStdinClose() ? "stdin_close" : null);
        tree.put("environment", launch.environment());
        put(tree, "working_directory_ref", launch.workingDirectoryRef());
        put(tree, "home_ref", launch.homeRef());
        tree.put("mode", Wire.name(launch.mode()));
        if (launch.window() != null) {
            Map<String, Object> window = new LinkedHashMap<>();
            window.put("rows", (long) launch.window().rows());
            window.put("cols", (long) launch.window().cols());
            tree.put("window", window);
        }
        put(tree, "readiness", launch.readiness());
        return tree;
    }

    private static List<Object> resources(List<PrepareRequest.Resource> resources) {
        return resources.stream().<Object>map(PrepareRequestEncoder::resource).toList();
    }

    private static Map<String, Object> resource(PrepareRequest.Resource resource) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", resource.name());
        tree.put("grant_ref", resource.grantRef());
        tree.put("root_ref", resource.rootRef());
        tree.put("subpath", resource.subpath());
        tree.put("access", Wire.name(resource.access()));
        tree.put("purpose", Wire.name(resource.purpose()));
        return tree;
    }

    private static Map<String, Object> timeouts(PrepareRequest.Timeouts timeouts) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("start_ms", (long) timeouts.startMs());
        tree.put("stop_grace_ms", (long) timeouts.stopGraceMs());
        tree.put("drain_ms", (long) timeouts.drainMs());
        tree.put("retain_ms", (long) timeouts.retainMs());
        return tree;
    }

    private static Object truncation(OutputTruncation truncation) {
        if (!truncation.on()) {
            return "off";
        }
        Map<String, Object> on = new LinkedHashMap<>();
        on.put("bytes", truncation.bytes());
        on.put("lines", truncation.lines());
        on.put("keep", truncation.keepHead() ? "head" : "tail");
        return Map.of("on", on);
    }

    private static void put(Map<String, Object> tree, String name, Object value) {
        if (value != null) {
            tree.put(name, value);
        }
    }
}
