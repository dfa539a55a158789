package org.berth.placement.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.container.ContainerRecord;
import org.berth.placement.CanonicalJson;
import org.hibernate.Length;

/** The row of one attempt's container. */
@Entity
@Table(name = "attempt_containers")
class ContainerEntity {
    @Id
    @Column(name = "attempt_id")
    String attemptId;

    @Column(name = "attempt_key", updatable = false)
    String attemptKey;

    @Column(name = "host_id", updatable = false)
    String hostId;

    @Column(name = "engine", updatable = false)
    String engine;

    @Column(name = "name", updatable = false)
    String name;

    @Column(name = "container_id")
    String containerId;

    @Column(name = "image_id")
    String imageId;

    @Column(name = "labels_json", updatable = false, length = Length.LONG32)
    String labelsJson;

    @Column(name = "phase")
    String phase;

    @Column(name = "init_used", updatable = false)
    boolean init;

    @Column(name = "kill_ordered")
    boolean killOrdered;

    @Column(name = "created_at", updatable = false)
    Instant createdAt;

    /** The engine's own text, with its nanoseconds, since the identity is compared with it. */
    @Column(name = "started_at")
    String startedAt;

    protected ContainerEntity() {}

    static ContainerEntity of(ContainerRecord record) {
        ContainerEntity row = new ContainerEntity();
        row.attemptId = record.attemptId();
        row.attemptKey = record.attemptKey();
        row.hostId = record.hostId();
        row.engine = record.engine();
        row.name = record.name();
        row.containerId = record.containerId();
        row.imageId = record.imageId();
        row.labelsJson = CanonicalJson.write(new LinkedHashMap<String, Object>(record.labels()));
        row.phase = StoredValues.name(record.phase());
        row.init = record.init();
        row.killOrdered = record.killOrdered();
        row.createdAt = StoredValues.micros(record.createdAt());
        row.startedAt = record.startedAt() == null ? null : record.startedAt().toString();
        return row;
    }

    ContainerRecord toRecord() {
        Map<String, String> labels = new LinkedHashMap<>();
        StoredValues.map(labelsJson).forEach((label, value) -> labels.put(label, String.valueOf(value)));
        return new ContainerRecord(
                attemptId,
                attemptKey,
                hostId,
                engine,
                name,
                containerId,
                imageId,
                labels,
                StoredValues.constant(ContainerRecord.Phase.class, phase),
                init,
                killOrdered,
                createdAt,
                startedAt == null ? null : Instant.parse(startedAt));
    }
}
