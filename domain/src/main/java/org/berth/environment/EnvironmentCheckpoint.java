package org.berth.environment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is kept of one conversation: its private history, the artifacts and the context that it was given, by reference
 * and hash. Source: the reference's {@code EnvironmentCheckpoint}.
 *
 * @param nativeState absolute guest directory of the native's state
 * @param files the one history file
 * @param artifacts verified exports, at most 128 and 32 MiB together
 * @param context projected files whose source is known, at most 4096 and 32 MiB together
 */
public record EnvironmentCheckpoint(
        String checkpointId,
        String bindingId,
        String nodeId,
        String seat,
        String generation,
        String nativeType,
        String nativeId,
        String predecessorResourceId,
        String destinationCwd,
        String nativeState,
        List<Retained> files,
        List<Retained> artifacts,
        List<ProjectionReceipt> context) {
    public EnvironmentCheckpoint {
        files = List.copyOf(files);
        artifacts = List.copyOf(artifacts);
        context = List.copyOf(context);
    }

    /**
     * A file that is kept on this host.
     *
     * @param path relative to the guest root
     * @param source absolute host path of the bytes
     * @param taskId the work item of an artifact; null for history
     */
    public record Retained(String path, String source, String sha256, long bytes, String taskId) {
        Map<String, Object> tree() {
            Map<String, Object> tree = new LinkedHashMap<>();
            tree.put("path", path);
            tree.put("source", source);
            tree.put("sha256", sha256);
            tree.put("bytes", bytes);
            if (taskId != null) {
                tree.put("taskId", taskId);
            }
            return tree;
        }

        static Retained of(Map<String, Object> tree) {
            return new Retained(
                    EnvironmentTrees.text(tree, "path"),
                    EnvironmentTrees.text(tree, "source"),
                    EnvironmentTrees.text(tree, "sha256"),
                    tree.get("bytes") instanceof Number bytes ? bytes.longValue() : 0,
                    EnvironmentTrees.text(tree, "taskId"));
        }
    }

    /** The receipt of the checkpoint operation, in the names of the wire. */
    public Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("version", EnvironmentTrees.VERSION);
        tree.put("checkpointId", checkpointId);
        tree.put("bindingId", bindingId);
        tree.put("nodeId", nodeId);
        tree.put("seat", seat);
        tree.put("generation", generation);
        tree.put("nativeType", nativeType);
        tree.put("nativeId", nativeId);
        tree.put("predecessorResourceId", predecessorResourceId);
        tree.put("context", context.stream().map(EnvironmentTrees::receipt).toList());
        tree.put("destinationCwd", destinationCwd);
        tree.put("nativeState", nativeState);
        tree.put("artifacts", artifacts.stream().map(Retained::tree).toList());
        tree.put("files", files.stream().map(Retained::tree).toList());
        return tree;
    }

    /** The reverse of {@link #tree}; what is missing is null or empty. */
    public static EnvironmentCheckpoint of(Map<String, Object> tree) {
        return new EnvironmentCheckpoint(
                EnvironmentTrees.text(tree, "checkpointId"),
                EnvironmentTrees.text(tree, "bindingId"),
                EnvironmentTrees.text(tree, "nodeId"),
                EnvironmentTrees.text(tree, "seat"),
                EnvironmentTrees.text(tree, "generation"),
                EnvironmentTrees.text(tree, "nativeType"),
                EnvironmentTrees.text(tree, "nativeId"),
                EnvironmentTrees.text(tree, "predecessorResourceId"),
                EnvironmentTrees.text(tree, "destinationCwd"),
                EnvironmentTrees.text(tree, "nativeState"),
                EnvironmentTrees.objects(tree.get("files")).stream()
                        .map(Retained::of)
                        .toList(),
                EnvironmentTrees.objects(tree.get("artifacts")).stream()
                        .map(Retained::of)
                        .toList(),
                EnvironmentTrees.objects(tree.get("context")).stream()
                        .map(EnvironmentTrees::receiptOf)
                        .toList());
    }
}
