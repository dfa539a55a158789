package org.berth.placement.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.hibernate.Length;
import org.hibernate.annotations.Immutable;

/** One row of evidence; written once. */
@Entity
@Table(name = "evidence")
@IdClass(EvidenceEntity.Key.class)
@Immutable
class EvidenceEntity {
    @Id
    @Column(name = "attempt_id")
    String attemptId;

    @Id
    @Column(name = "sequence")
    long sequence;

    @Column(name = "observed_at")
    Instant observedAt;

    @Column(name = "kind")
    String kind;

    @Column(name = "detail", length = Length.LONG32)
    String detail;

    protected EvidenceEntity() {}

    /** An attempt and a place in its evidence. */
    record Key(String attemptId, long sequence) implements Serializable {}
}
