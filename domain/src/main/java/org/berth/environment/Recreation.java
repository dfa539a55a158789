package org.berth.environment;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A confirmed recreation: which conversation goes on, and on which compute. Source: the reference's receipt of recreate.
 *
 * @param successorGeneration the one launch generation of the successor; null until it is claimed
 */
public record Recreation(
        String operationId,
        String bindingId,
        String checkpointId,
        String nativeType,
        String nativeId,
        String predecessorResourceId,
        String successorResourceId,
        String predecessorGeneration,
        String successorGeneration,
        String destinationCwd,
        String nativeState) {
    static final String STATE = "confirmed";

    /** The recreation of {@code checkpoint} by {@code operationId}, as {@code successor} was observed. */
    public static Recreation of(String operationId, EnvironmentCheckpoint checkpoint, EnvironmentResource successor) {
        return new Recreation(
                operationId,
                checkpoint.bindingId(),
                checkpoint.checkpointId(),
                checkpoint.nativeType(),
                checkpoint.nativeId(),
                checkpoint.predecessorResourceId(),
                successor.id(),
                checkpoint.generation(),
                null,
                checkpoint.destinationCwd(),
                checkpoint.nativeState());
    }

    /** The receipt in the names of the wire. */
    public Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("version", EnvironmentTrees.VERSION);
        tree.put("state", STATE);
        tree.put("operationId", operationId);
        tree.put("bindingId", bindingId);
        tree.put("checkpointId", checkpointId);
        tree.put("nativeType", nativeType);
        tree.put("nativeId", nativeId);
        tree.put("predecessorResourceId", predecessorResourceId);
        tree.put("successorResourceId", successorResourceId);
        tree.put("predecessorGeneration", predecessorGeneration);
        tree.put("successorGeneration", successorGeneration);
        tree.put("destinationCwd", destinationCwd);
        tree.put("nativeState", nativeState);
        return tree;
    }

    /** The reverse of {@link #tree}. */
    public static Recreation of(Map<String, Object> tree) {
        return new Recreation(
                EnvironmentTrees.text(tree, "operationId"),
                EnvironmentTrees.text(tree, "bindingId"),
                EnvironmentTrees.text(tree, "checkpointId"),
                EnvironmentTrees.text(tree, "nativeType"),
                EnvironmentTrees.text(tree, "nativeId"),
                EnvironmentTrees.text(tree, "predecessorResourceId"),
                EnvironmentTrees.text(tree, "successorResourceId"),
                EnvironmentTrees.text(tree, "predecessorGeneration"),
                EnvironmentTrees.text(tree, "successorGeneration"),
                EnvironmentTrees.text(tree, "destinationCwd"),
                EnvironmentTrees.text(tree, "nativeState"));
    }

    /** The same, launched as {@code generation}. */
    public Recreation launchedAs(String generation) {
        return new Recreation(
                operationId,
                bindingId,
                checkpointId,
                nativeType,
                nativeId,
                predecessorResourceId,
                successorResourceId,
                predecessorGeneration,
                generation,
                destinationCwd,
                nativeState);
    }
}
