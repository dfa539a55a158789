package org.berth.environment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a checkpoint will hold. Once it is recorded it stays: every later try takes the same prefix of the history, the
 * same artifacts and the same context, however the environment goes on. Source: environments.md, Completion.
 *
 * @param files the one history file as the guest counted and hashed it
 * @param artifacts verified exports of the generation
 * @param context projected files whose source is known
 */
public record CheckpointSelection(
        List<GuestFile> files, List<EnvironmentCheckpoint.Retained> artifacts, List<ProjectionReceipt> context) {
    public CheckpointSelection {
        files = List.copyOf(files);
        artifacts = List.copyOf(artifacts);
        context = List.copyOf(context);
    }

    /** The receipt of the selection's operation. */
    public Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("files", files.stream().map(CheckpointSelection::tree).toList());
        tree.put(
                "artifacts",
                artifacts.stream().map(EnvironmentCheckpoint.Retained::tree).toList());
        tree.put("context", context.stream().map(EnvironmentTrees::receipt).toList());
        return tree;
    }

    /** The reverse of {@link #tree}. */
    public static CheckpointSelection of(Map<String, Object> tree) {
        return new CheckpointSelection(
                EnvironmentTrees.objects(tree.get("files")).stream()
                        .map(CheckpointSelection::file)
                        .toList(),
                EnvironmentTrees.objects(tree.get("artifacts")).stream()
                        .map(EnvironmentCheckpoint.Retained::of)
                        .toList(),
                EnvironmentTrees.objects(tree.get("context")).stream()
                        .map(EnvironmentTrees::receiptOf)
                        .toList());
    }

    /** The id of the operation that keeps the selection of {@code checkpointId}; its own, whatever the length of that. */
    public static String operationId(String checkpointId) {
        return "selection-" + EnvironmentTrees.shortDigest(checkpointId);
    }

    private static Map<String, Object> tree(GuestFile file) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("path", file.path());
        tree.put("sha256", file.sha256());
        tree.put("bytes", file.bytes());
        return tree;
    }

    private static GuestFile file(Map<String, Object> tree) {
        return new GuestFile(
                EnvironmentTrees.text(tree, "path"),
                EnvironmentTrees.text(tree, "sha256"),
                tree.get("bytes") instanceof Number bytes ? bytes.longValue() : 0);
    }
}
