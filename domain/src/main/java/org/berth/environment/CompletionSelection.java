package org.berth.environment;

import java.util.Map;

/**
 * A selected completion, with the compute that it was selected on.
 *
 * @param effect STOP_NATIVE or STOP_COMPUTE
 * @param requestedBy the seat that selected it
 */
public record CompletionSelection(
        String operationId,
        String generation,
        String taskId,
        String exportOperationId,
        EnvironmentEffect effect,
        String resourceId,
        String requestedBy) {
    /** The request that is journalled, by which a repeated operation is recognised. */
    public Map<String, Object> tree() {
        Map<String, Object> tree =
                new CompletionRequest(operationId, generation, taskId, exportOperationId, effect.wire()).tree();
        tree.put("resourceId", resourceId);
        tree.put("requestedBy", requestedBy);
        return tree;
    }

    /** The reverse of {@link #tree}. */
    public static CompletionSelection of(Map<String, Object> tree) {
        return new CompletionSelection(
                EnvironmentTrees.text(tree, "operationId"),
                EnvironmentTrees.text(tree, "generation"),
                EnvironmentTrees.text(tree, "taskId"),
                EnvironmentTrees.text(tree, "exportOperationId"),
                EnvironmentEffect.of(tree.get("effect")),
                EnvironmentTrees.text(tree, "resourceId"),
                EnvironmentTrees.text(tree, "requestedBy"));
    }
}
