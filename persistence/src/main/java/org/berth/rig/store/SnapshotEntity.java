package org.berth.rig.store;

import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import org.berth.placement.store.StoredValues;
import org.berth.rig.RigSnapshot;
import org.hibernate.Length;

/** The row of one snapshot; never changed. */
@Entity
@Table(name = "rig_snapshots")
class SnapshotEntity {
    @Id
    @Column(name = "snapshot_id")
    String snapshotId;

    @Column(name = "rig_id", updatable = false)
    String rigId;

    @Column(name = "rig_name", updatable = false)
    String rigName;

    @Column(name = "kind", updatable = false)
    String kind;

    @Column(name = "data_json", updatable = false, length = Length.LONG32)
    String data;

    @Column(name = "created_by", updatable = false)
    String createdBy;

    @Column(name = "created_at", updatable = false)
    Instant createdAt;

    @ElementCollection
    @CollectionTable(name = "rig_snapshot_checkpoints", joinColumns = @JoinColumn(name = "snapshot_id"))
    @Column(name = "checkpoint_id")
    Set<String> checkpoints = new LinkedHashSet<>();

    protected SnapshotEntity() {}

    static SnapshotEntity of(RigSnapshot snapshot, Set<String> checkpoints) {
        SnapshotEntity row = new SnapshotEntity();
        row.snapshotId = snapshot.snapshotId();
        row.rigId = snapshot.rigId();
        row.rigName = snapshot.rigName();
        row.kind = snapshot.kind();
        row.data = snapshot.data();
        row.createdBy = snapshot.createdBy();
        row.createdAt = StoredValues.micros(snapshot.createdAt());
        row.checkpoints.addAll(checkpoints);
        return row;
    }

    RigSnapshot toSnapshot() {
        return new RigSnapshot(snapshotId, rigId, rigName, kind, data, createdBy, createdAt);
    }
}
