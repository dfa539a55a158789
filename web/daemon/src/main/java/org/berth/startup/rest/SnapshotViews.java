package org.berth.startup.rest;

import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.json.StrictJson;
import org.berth.rig.RigSnapshot;

/** Snapshots as JSON trees. */
final class SnapshotViews {
    private SnapshotViews() {}

    static Map<String, Object> line(RigSnapshot snapshot) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("id", snapshot.snapshotId());
        tree.put("rigId", snapshot.rigId());
        tree.put("rigName", snapshot.rigName());
        tree.put("kind", snapshot.kind());
        tree.put("createdBy", snapshot.createdBy());
        tree.put("createdAt", snapshot.createdAt().toString());
        return tree;
    }

    static Map<String, Object> whole(RigSnapshot snapshot) {
        Map<String, Object> tree = line(snapshot);
        tree.put("data", StrictJson.object(snapshot.data()));
        return tree;
    }
}
