package org.berth.environment;

import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Environments for tests. */
final class Environments {
    static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private Environments() {}

    static Map<String, Object> body() {
        Map<String, Object> placement = new LinkedHashMap<>();
        placement.put("gateway", "local");
        placement.put("workspace", "team");
        placement.put("name", "worker");
        placement.put("image", "/opt/agent@sha256:" + "a".repeat(64));
        placement.put("provider", "claude");
        placement.put("policy", "/srv/policy.yaml");
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("version", 1L);
        body.put("bindingId", "binding-1");
        body.put("nodeId", "node-1");
        body.put("seat", "worker@team");
        body.put("baseRuntime", "claude-code");
        body.put("guestRoot", "/sandbox/openrig");
        body.put("guestBaseUrl", "http://host.openshell.internal:7782");
        body.put("placement", placement);
        return body;
    }

    static EnvironmentConfig config() {
        return EnvironmentConfigDecoder.decode(body());
    }

    static EnvironmentResource resource(String id, String operationId) {
        return new EnvironmentResource(id, "worker", "team", "Ready", "f", operationId);
    }

    static EnvironmentBinding binding(Ownership ownership, EnvironmentResource resource) {
        return new EnvironmentBinding(config(), ownership, resource, null);
    }

    static BindingRecord record(Ownership ownership, EnvironmentResource resource, boolean holdsName) {
        return new BindingRecord(binding(ownership, resource), "incarnation-1", "host-1", holdsName, null, NOW);
    }

    static EnvironmentOperation operation(OperationIntent intent, OperationState state) {
        return new EnvironmentOperation(
                intent.operationId(),
                intent.bindingId(),
                intent.kind(),
                intent.request(),
                "env-1",
                state,
                null,
                intent.requestedBy(),
                null,
                NOW);
    }

    static OperationIntent intent(String operationId, Object request) {
        return OperationIntent.of(operationId, "binding-1", OperationKind.CREATE, request, "a@b");
    }

    static ProjectionFile file(String path, String sha256) {
        return new ProjectionFile("/srv/" + path, path, sha256, true, null, false);
    }

    static List<ProjectionReceipt> receipts(ProjectionPlan.Item... items) {
        return Arrays.stream(items).map(ProjectionPlan.Item::receipt).toList();
    }

    /** The checkpoint of {@link #config}'s binding on the compute {@code r1}. */
    static EnvironmentCheckpoint checkpoint() {
        return new EnvironmentCheckpoint(
                "checkpoint-1",
                "binding-1",
                "node-1",
                "worker@team",
                "generation-1",
                EnvironmentRules.NATIVE_TYPE,
                "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee",
                "r1",
                "/sandbox/openrig/work",
                "/sandbox/openrig/native",
                List.of(),
                List.of(),
                List.of());
    }
}
