package org.berth.rig.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.berth.rig.Rig;
import org.hibernate.Length;

/** The row of one rig; never changed. */
@Entity
@Table(name = "rigs")
class RigEntity {
    @Id
    @Column(name = "rig_id")
    String rigId;

    @Column(name = "name", updatable = false)
    String name;

    @Column(name = "root", updatable = false)
    String root;

    @Column(name = "spec_json", updatable = false, length = Length.LONG32)
    String specJson;

    @Column(name = "spec_digest", updatable = false)
    String specDigest;

    @Column(name = "created_by", updatable = false)
    String createdBy;

    @Column(name = "created_at", updatable = false)
    Instant createdAt;

    protected RigEntity() {}

    static RigEntity of(Rig rig) {
        RigEntity row = new RigEntity();
        row.rigId = rig.rigId();
        row.name = rig.name();
        row.root = rig.root();
        row.specJson = rig.specJson();
        row.specDigest = rig.specDigest();
        row.createdBy = rig.createdBy();
        row.createdAt = rig.createdAt().truncatedTo(ChronoUnit.MICROS);
        return row;
    }

    Rig toRig() {
        return new Rig(rigId, name, root, specJson, specDigest, createdBy, createdAt);
    }
}
