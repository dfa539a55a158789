package org.berth.harness.workspace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.Status;

/**
 * One run of a hand-back, up to its record. It may be cut at any point and run again: a path that was taken already reads as
 * changed by both to the same.
 */
final class HandBackRun {
    private final Layout layout;
    private final Manifest manifest;
    private final Directory copy;
    private final ParentTree parent;
    private final ParentTree conflicts;
    private final Comparison comparison;
    private final Lanes lanes;
    private final Set<String> removals = new HashSet<>();
    private final Set<String> baseDirectories = new HashSet<>();
    private final List<HandBack.Conflict> conflicting = new ArrayList<>();
    private long same;

    HandBackRun(
            Layout layout,
            Manifest manifest,
            Directory copy,
            ParentTree parent,
            ParentTree conflicts,
            Comparison comparison,
            Lanes lanes) {
        this.layout = layout;
        this.manifest = manifest;
        this.copy = copy;
        this.parent = parent;
        this.conflicts = conflicts;
        this.comparison = comparison;
        this.lanes = lanes;
    }

    /** A path that is taken, and what the parent had there when that was decided. */
    private record Step(ChildPath path, Status found) {}

    HandBack run(List<ChildPath> paths) throws IOException {
        for (Manifest.Folder folder : manifest.folders()) {
            for (String at = folder.path(); !at.isEmpty() && baseDirectories.add(at); at = ParentTree.above(at)) {}
        }
        HandBack planned = HandBackJson.readPlan(layout.plan());
        Set<String> taken = new TreeSet<>();
        Set<String> removed = new TreeSet<>();
        List<Step> steps = decideAll(paths, planned, taken, removed);
        HandBackJson.writePlan(layout.plan(), List.copyOf(taken), List.copyOf(removed));
        FaultPoint.HANDBACK_PLANNED.hit();
        List<Step> removing =
                steps.stream().filter(step -> step.path().isRemoval()).toList();
        List<Step> writing =
                steps.stream().filter(step -> !step.path().isRemoval()).toList();
        for (Step step : removing) {
            apply(step, removed);
        }
        writeAll(parent, writing.stream().map(step -> step.path().path()).toList(), FaultPoint.HANDBACK_WRITTEN);
        for (Step step : writing) {
            apply(step, taken);
        }
        for (String path : removed) {
            parent.prune(path);
            FaultPoint.HANDBACK_PRUNED.hit();
        }
        List<String> kept = conflicting.stream()
                .filter(conflict -> conflict.childVersion().isPresent())
                .map(HandBack.Conflict::path)
                .toList();
        writeAll(conflicts, kept, FaultPoint.HANDBACK_CONFLICT_KEPT);
        for (String path : kept) {
            conflicts.place(path);
        }
        syncAll(parent, taken);
        syncAll(conflicts, kept);
        conflicting.sort(Comparator.comparing(HandBack.Conflict::path));
        long unchanged = paths.stream().filter(ChildPath::unchanged).count();
        return new HandBack(List.copyOf(taken), List.copyOf(removed), conflicting, same, unchanged);
    }

    private void writeAll(ParentTree into, List<String> paths, FaultPoint written) throws IOException {
        lanes.each(paths, () -> new WriteLane(into, copy, written));
    }

    private void syncAll(ParentTree tree, Collection<String> paths) throws IOException {
        Set<String> directories = new TreeSet<>();
        paths.forEach(path -> directories.add(ParentTree.above(path)));
        lanes.each(List.copyOf(directories), () -> new Lanes.LaneWork<>() {
            @Override
            public void on(String path) throws IOException {
                tree.sync(path);
            }

            @Override
            public void close() {}
        });
    }

    /** Removals first: what they leave decides whether there is room for a file. */
    private List<Step> decideAll(List<ChildPath> paths, HandBack planned, Set<String> taken, Set<String> removed)
            throws IOException {
        List<Step> steps = new ArrayList<>();
        Set<String> plannedTaken = Set.copyOf(planned.taken());
        Set<String> plannedRemoved = Set.copyOf(planned.removed());
        List<ChildPath> ordered = new ArrayList<>(paths);
        ordered.sort(Comparator.comparing(ChildPath::isRemoval).reversed().thenComparing(ChildPath::path));
        for (ChildPath path : ordered) {
            PathMerge merge = decide(path);
            if (merge != PathMerge.KEEP) {
                parent.clear(path.path());
            }
            Set<String> own = path.isRemoval() ? removed : taken;
            Set<String> before = path.isRemoval() ? plannedRemoved : plannedTaken;
            switch (merge) {
                case KEEP -> {}
                case TAKE -> {
                    steps.add(new Step(path, found(path)));
                    own.add(path.path());
                }
                case SAME -> settleSame(path, own, before);
                case CONFLICT -> conflict(path);
            }
            if (path.isRemoval() && merge == PathMerge.TAKE) {
                removals.add(path.path());
            }
        }
        return steps;
    }

    private void settleSame(ChildPath path, Set<String> own, Set<String> before) {
        if (before.contains(path.path())) {
            own.add(path.path());
        } else {
            same++;
        }
    }

    private void conflict(ChildPath path) throws IOException {
        conflicting.add(new HandBack.Conflict(
                path.path(),
                reason(path),
                path.inChild() ? Optional.of(layout.conflicts() + "/" + path.path()) : Optional.empty()));
    }

    private HandBack.Reason reason(ChildPath path) throws IOException {
        if (path.doubtful()) {
            return HandBack.Reason.PERHAPS_LOST;
        }
        return !path.inChild() || hasRoom(path) ? HandBack.Reason.BOTH_CHANGED : HandBack.Reason.NO_ROOM_FOR_A_FILE;
    }

    private boolean hasRoom(ChildPath path) throws IOException {
        return parent.canHold(path.path(), removals, baseDirectories);
    }

    private PathMerge decide(ChildPath path) throws IOException {
        return PathMerge.decide(new PathMerge.Sides() {
            @Override
            public boolean childIsBase() {
                return path.unchanged();
            }

            @Override
            public boolean parentCanHold() throws IOException {
                return !path.doubtful() && (!path.inChild() || hasRoom(path));
            }

            @Override
            public boolean parentIsBase() throws IOException {
                return path.base() != null
                        ? comparison.isBase(parent.top(), path.path(), path.base())
                        : !parentHasFile(path.path());
            }

            @Override
            public boolean parentIsChild() throws IOException {
                return path.inChild()
                        ? comparison.isSame(parent.top(), copy, path.path())
                        : !parentHasFile(path.path());
            }
        });
    }

    /** A directory counts as nothing here: whether it leaves room was asked before. A pipe or device is something. */
    private boolean parentHasFile(String path) throws IOException {
        try (Place place = Place.of(parent.top(), path)) {
            return !place.isEmpty() && !place.status().isDirectory();
        }
    }

    private Status found(ChildPath path) throws IOException {
        try (Place place = Place.of(parent.top(), path.path())) {
            return place.file();
        }
    }

    /** {@code reported}: the paths of the report that this step belongs to. */
    private void apply(Step step, Set<String> reported) throws IOException {
        ChildPath path = step.path();
        Status now = found(path);
        boolean moved = now == null ? step.found() != null : !now.equals(step.found());
        PathMerge merge = moved ? decide(path) : PathMerge.TAKE;
        if (merge != PathMerge.TAKE) {
            // Somebody changed the parent's file after the decision: what is there now decides.
            reported.remove(path.path());
            parent.clear(path.path());
            if (merge == PathMerge.CONFLICT) {
                conflict(path);
            } else {
                same++;
            }
        } else if (path.isRemoval()) {
            parent.remove(path.path());
            FaultPoint.HANDBACK_REMOVED.hit();
        } else {
            parent.place(path.path());
            FaultPoint.HANDBACK_RENAMED.hit();
        }
    }
}
