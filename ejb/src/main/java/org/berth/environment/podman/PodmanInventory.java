package org.berth.environment.podman;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.engine.EngineSocket;
import org.berth.environment.EnvironmentRules;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;

/**
 * The exact parts of one environment, and the engine that has them. Source: the reference's {@code PodmanCleanupSelection}.
 *
 * @param resourceId the environment's UUID
 * @param workloadId 64 hex digits; likewise {@code supervisorId}
 */
record PodmanInventory(
        EngineSocket socket,
        String resourceId,
        String workspace,
        String workloadId,
        String supervisorId,
        List<String> volumes) {
    private static final long VERSION = 1;

    PodmanInventory {
        volumes = List.copyOf(volumes);
    }

    String write() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("version", VERSION);
        tree.put("socket", socket.path().toString());
        tree.put("socketDevice", socket.device());
        tree.put("socketInode", socket.inode());
        tree.put("uid", socket.uid());
        tree.put("host", socket.host());
        tree.put("resourceId", resourceId);
        tree.put("workspace", workspace);
        tree.put("workloadId", workloadId);
        tree.put("supervisorId", supervisorId);
        tree.put("volumes", volumes);
        return CanonicalJson.write(tree);
    }

    /** @throws IllegalArgumentException for what is no inventory of this version */
    static PodmanInventory read(String json) {
        Map<String, Object> tree = StrictJson.object(json);
        if (tree.get("version") instanceof Long version
                && version == VERSION
                && tree.get("socket") instanceof String path
                && tree.get("socketDevice") instanceof Long device
                && tree.get("socketInode") instanceof Long inode
                && tree.get("uid") instanceof Long uid
                && tree.get("host") instanceof String host
                && tree.get("resourceId") instanceof String resourceId
                && tree.get("workspace") instanceof String workspace
                && tree.get("workloadId") instanceof String workloadId
                && EnvironmentRules.isSha256(workloadId)
                && tree.get("supervisorId") instanceof String supervisorId
                && EnvironmentRules.isSha256(supervisorId)
                && tree.get("volumes") instanceof List<?> volumes
                && !volumes.isEmpty()
                && volumes.stream().allMatch(String.class::isInstance)) {
            return new PodmanInventory(
                    new EngineSocket(java.nio.file.Path.of(path), device, inode, uid.intValue(), host),
                    resourceId,
                    workspace,
                    workloadId,
                    supervisorId,
                    volumes.stream().map(String.class::cast).toList());
        }
        throw new IllegalArgumentException("no inventory of version " + VERSION);
    }
}
