package org.berth.environment;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The wish that a binding's execution ends once one work item is done and its result is home.
 *
 * @param taskId the work item, which the bound seat owns
 * @param exportOperationId the export whose verified bytes are the result; it need not have happened yet
 * @param effect the wire name of stop-native or stop-compute
 */
public record CompletionRequest(
        String operationId, String generation, String taskId, String exportOperationId, String effect) {
    /** Reads a body; a member of a wrong type is as good as missing, so that {@link CompletionRules#select} refuses it. */
    public static CompletionRequest of(Map<String, Object> body) {
        return new CompletionRequest(
                EnvironmentTrees.text(body, "operationId"),
                EnvironmentTrees.text(body, "generation"),
                EnvironmentTrees.text(body, "taskId"),
                EnvironmentTrees.text(body, "exportOperationId"),
                EnvironmentTrees.text(body, "effect"));
    }

    /** In the names of the wire. */
    public Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("operationId", operationId);
        tree.put("generation", generation);
        tree.put("taskId", taskId);
        tree.put("exportOperationId", exportOperationId);
        tree.put("effect", effect);
        return tree;
    }
}
