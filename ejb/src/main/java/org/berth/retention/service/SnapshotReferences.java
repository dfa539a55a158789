package org.berth.retention.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Map;
import org.berth.environment.SnapshotReference;
import org.berth.json.StrictJson;
import org.berth.retention.RetentionHolds;
import org.berth.retention.RetentionReferences;
import org.berth.rig.store.SnapshotRepository;

/** What the snapshots of rigs name: a binding keeps its history, also after it was given up. */
@ApplicationScoped
public class SnapshotReferences implements RetentionReferences {
    private final SnapshotRepository snapshots;

    /** For the container's proxy. */
    protected SnapshotReferences() {
        this(null);
    }

    @Inject
    public SnapshotReferences(SnapshotRepository snapshots) {
        this.snapshots = snapshots;
    }

    @Override
    public void addTo(RetentionHolds.Builder holds) {
        for (String data : snapshots.data()) {
            if (StrictJson.object(data).get("environmentBindingsByNode") instanceof Map<?, ?> byNode) {
                byNode.values().stream()
                        .filter(Map.class::isInstance)
                        .map(SnapshotReferences::reference)
                        .forEach(reference -> {
                            holds.binding(reference.bindingId());
                            if (reference.checkpointId() != null) {
                                holds.operation(reference.checkpointId());
                            }
                        });
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static SnapshotReference reference(Object tree) {
        return SnapshotReference.of((Map<String, Object>) tree);
    }
}
