package org.berth.harness.workspace.model;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a hand-back does to flat files. A path that a map lacks is a file that is not there. Source: the harness reference,
 * S3, A subagent's workspace 4.
 */
public final class HandBackModel {
    private HandBackModel() {}

    /**
     * One path after the hand-back.
     *
     * @param parent what the parent has there; empty for nothing
     * @param conflict whether the child's version was not taken though it is another change
     */
    public record Merged<V>(Optional<V> parent, boolean conflict) {}

    /**
     * All paths after the hand-back.
     *
     * @param parent the parent's files
     * @param conflicts for each conflict the child's version; empty where the child removed the file
     */
    public record Result<V>(SortedMap<String, V> parent, SortedMap<String, Optional<V>> conflicts) {}

    /** The rule of one path. */
    public static <V> Merged<V> merge1(Optional<V> parent, Optional<V> base, Optional<V> child) {
        if (child.equals(base)) {
            return new Merged<>(parent, false);
        }
        if (parent.equals(base)) {
            return new Merged<>(child, false);
        }
        return new Merged<>(parent, !parent.equals(child));
    }

    /** The rule of one path, for each path that one of the three has. */
    public static <V> Result<V> back(Map<String, V> parent, Map<String, V> base, Map<String, V> child) {
        TreeSet<String> paths = new TreeSet<>(parent.keySet());
        paths.addAll(base.keySet());
        paths.addAll(child.keySet());
        SortedMap<String, V> after = new TreeMap<>();
        SortedMap<String, Optional<V>> conflicts = new TreeMap<>();
        for (String path : paths) {
            Optional<V> childs = Optional.ofNullable(child.get(path));
            Merged<V> merged =
                    merge1(Optional.ofNullable(parent.get(path)), Optional.ofNullable(base.get(path)), childs);
            merged.parent().ifPresent(version -> after.put(path, version));
            if (merged.conflict()) {
                conflicts.put(path, childs);
            }
        }
        return new Result<>(after, conflicts);
    }
}
