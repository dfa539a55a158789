package org.berth.environment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * What a restored seat reads otherwise than it did when its checkpoint was taken, by paths relative to the guest root.
 * Source: environments.md, Decisions, restore.
 */
public record ContextDifference(List<String> changed, List<String> added, List<String> removed) {
    /** {@code work/.claude/skills/ID} and its kin: what one declaration brings. */
    private static final int DECLARED_PARTS = 4;

    public ContextDifference {
        changed = List.copyOf(changed);
        added = List.copyOf(added);
        removed = List.copyOf(removed);
    }

    /** Nothing differs. */
    public boolean none() {
        return changed.isEmpty() && added.isEmpty() && removed.isEmpty();
    }

    public Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("changed", changed);
        tree.put("added", added);
        tree.put("removed", removed);
        return tree;
    }

    /**
     * Compares what was kept with what is verified at the destination now. A file may be missing only when its source is
     * gone while others of the same declaration are there.
     *
     * @param kept the checkpoint's context
     * @param now the whole projection of the recreated compute; null before one
     * @param exists whether a host file is there
     * @throws BerthException environment_projection_missing
     */
    public static ContextDifference of(
            List<ProjectionReceipt> kept, List<ProjectionReceipt> now, Predicate<String> exists) {
        if (now == null) {
            throw missing("Nothing was projected on the recreated compute.");
        }
        Map<String, ProjectionReceipt> present = new HashMap<>();
        now.forEach(each -> present.put(each.path(), each));
        Set<String> declarations = present.keySet().stream()
                .filter(path -> path.split("/", -1).length > DECLARED_PARTS)
                .map(ContextDifference::declaration)
                .collect(Collectors.toSet());
        Map<String, ProjectionReceipt> before = new HashMap<>();
        List<String> changed = new ArrayList<>();
        List<String> removed = new ArrayList<>();
        for (ProjectionReceipt each : kept) {
            before.put(each.path(), each);
            ProjectionReceipt today = present.get(each.path());
            if (today == null) {
                boolean gone = each.sourceFile() != null && !exists.test(each.sourceFile());
                boolean removable = gone && declarations.contains(declaration(each.path()));
                if (each.required() && !removable) {
                    throw missing("The recreated destination lacks " + each.path() + ", which the seat had.");
                }
                removed.add(each.path());
            } else if (!today.sha256().equals(each.sha256())) {
                changed.add(each.path());
            }
        }
        Set<String> added = new TreeSet<>();
        for (ProjectionReceipt each : now) {
            if (each.sourceFile() != null && !before.containsKey(each.path())) {
                added.add(each.path());
            }
        }
        changed.sort(null);
        removed.sort(null);
        return new ContextDifference(changed, List.copyOf(added), removed);
    }

    private static String declaration(String path) {
        String[] parts = path.split("/", -1);
        return parts.length <= DECLARED_PARTS
                ? path
                : String.join("/", List.of(parts).subList(0, DECLARED_PARTS));
    }

    private static BerthException missing(String sentence) {
        return new BerthException(ProblemCode.ENVIRONMENT_PROJECTION_MISSING, sentence + " Nothing was started.");
    }
}
