package org.berth.environment;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a rig's snapshot keeps of one bound node: names and ids, and nothing secret. Source: the reference's snapshot,
 * {@code environmentBindingsByNode}.
 *
 * @param generation null before a projection
 * @param checkpointId null without a checkpoint; likewise {@code nativeType} and {@code nativeId}
 */
public record SnapshotReference(
        String bindingId,
        String resourceId,
        String generation,
        String checkpointId,
        String nativeType,
        String nativeId,
        String destinationCwd,
        String nativeState) {
    private static final String WORK = "work";
    private static final String NATIVE = "native";

    /** Empty while the binding has no confirmed environment. */
    public static Optional<SnapshotReference> of(EnvironmentBinding binding, Optional<EnvironmentCheckpoint> newest) {
        if (binding.resource() == null) {
            return Optional.empty();
        }
        return Optional.of(new SnapshotReference(
                binding.bindingId(),
                binding.resource().id(),
                binding.generation(),
                newest.map(EnvironmentCheckpoint::checkpointId).orElse(null),
                newest.map(EnvironmentCheckpoint::nativeType).orElse(null),
                newest.map(EnvironmentCheckpoint::nativeId).orElse(null),
                binding.config().guestRoot() + "/" + WORK,
                binding.config().guestRoot() + "/" + NATIVE));
    }

    /** In the names of the wire; what is null is there. */
    public Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("version", EnvironmentTrees.VERSION);
        tree.put("bindingId", bindingId);
        tree.put("resourceId", resourceId);
        tree.put("generation", generation);
        tree.put("checkpointId", checkpointId);
        tree.put("nativeType", nativeType);
        tree.put("nativeId", nativeId);
        tree.put("destinationCwd", destinationCwd);
        tree.put("nativeState", nativeState);
        return tree;
    }

    /** The reverse of {@link #tree}. */
    public static SnapshotReference of(Map<String, Object> tree) {
        return new SnapshotReference(
                EnvironmentTrees.text(tree, "bindingId"),
                EnvironmentTrees.text(tree, "resourceId"),
                EnvironmentTrees.text(tree, "generation"),
                EnvironmentTrees.text(tree, "checkpointId"),
                EnvironmentTrees.text(tree, "nativeType"),
                EnvironmentTrees.text(tree, "nativeId"),
                EnvironmentTrees.text(tree, "destinationCwd"),
                EnvironmentTrees.text(tree, "nativeState"));
    }

    /** Whether this is what {@code checkpoint} keeps. */
    boolean selects(EnvironmentCheckpoint checkpoint) {
        return checkpoint.bindingId().equals(bindingId)
                && checkpoint.checkpointId().equals(checkpointId)
                && checkpoint.nativeId().equals(nativeId)
                && checkpoint.nativeType().equals(nativeType)
                && checkpoint.predecessorResourceId().equals(resourceId)
                && checkpoint.destinationCwd().equals(destinationCwd)
                && checkpoint.nativeState().equals(nativeState);
    }
}
