package org.berth.environment.service;

import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.environment.EnvironmentOperation;
import org.berth.json.StrictJson;
import org.berth.work.Actor;

/**
 * What a checkpoint operation asked for.
 *
 * @param hostId the host whose disk keeps the bytes
 * @param nativeId the conversation
 * @param resourceId the compute that it runs on
 */
record CheckpointRequest(
        String operationId, String generation, String requestedBy, String hostId, String resourceId, String nativeId) {
    static CheckpointRequest of(EnvironmentOperation operation) {
        Map<String, Object> tree = StrictJson.object(operation.request());
        return new CheckpointRequest(
                operation.operationId(),
                (String) tree.get("generation"),
                (String) tree.get("requestedBy"),
                (String) tree.get("hostId"),
                (String) tree.get("resourceId"),
                (String) tree.get("nativeId"));
    }

    /** Whether the same is asked for again, on whatever compute the binding has by now. */
    boolean isAskedBy(Actor actor, String wanted) {
        return generation.equals(wanted) && actor.session().equals(requestedBy);
    }

    Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("operationId", operationId);
        tree.put("generation", generation);
        tree.put("requestedBy", requestedBy);
        tree.put("hostId", hostId);
        tree.put("resourceId", resourceId);
        tree.put("nativeId", nativeId);
        return tree;
    }
}
