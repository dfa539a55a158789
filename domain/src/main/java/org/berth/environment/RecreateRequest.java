package org.berth.environment;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a recreation is asked for. Any member but {@code requestedBy} may be null; {@link RecreateRules} judges them.
 *
 * @param generation the generation of the predecessor, as the checkpoint has it
 * @param resumeType the saved conversation's type
 * @param resumeToken the saved conversation's id
 * @param placement the successor's, without the policy's digest
 */
public record RecreateRequest(
        String operationId,
        String generation,
        String checkpointId,
        String resumeType,
        String resumeToken,
        EnvironmentPlacement placement,
        String requestedBy) {
    /** Reads a body; a member of a wrong type is as good as missing. */
    public static RecreateRequest of(Map<String, Object> body, String requestedBy) {
        return new RecreateRequest(
                EnvironmentTrees.text(body, "operationId"),
                EnvironmentTrees.text(body, "generation"),
                EnvironmentTrees.text(body, "checkpointId"),
                EnvironmentTrees.text(body, "resumeType"),
                EnvironmentTrees.text(body, "resumeToken"),
                EnvironmentTrees.placementOf(EnvironmentTrees.object(body.get("placement")))
                        .withPolicySha256(null),
                requestedBy);
    }

    /** The request by which a repeated id is recognised. @param selected the placement with its policy's digest */
    Map<String, Object> tree(EnvironmentPlacement selected, String predecessorResourceId) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("operationId", operationId);
        tree.put("generation", generation);
        tree.put("checkpointId", checkpointId);
        tree.put("resumeType", resumeType);
        tree.put("resumeToken", resumeToken);
        tree.put("placement", EnvironmentTrees.placement(selected));
        tree.put("predecessorResourceId", predecessorResourceId);
        tree.put("requestedBy", requestedBy);
        return tree;
    }
}
