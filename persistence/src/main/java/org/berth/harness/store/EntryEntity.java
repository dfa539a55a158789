package org.berth.harness.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.berth.harness.session.Entry;
import org.berth.placement.store.StoredValues;
import org.hibernate.Length;
import org.hibernate.annotations.Immutable;

/** The row of one entry; written once. */
@Entity
@Table(name = "harness_entries")
@IdClass(EntryEntity.Key.class)
@Immutable
class EntryEntity {
    /** A session and a place in the order of its entries. */
    record Key(String sessionId, long sequence) implements Serializable {}

    @Id
    @Column(name = "session_id")
    String sessionId;

    @Id
    @Column(name = "sequence")
    long sequence;

    @Column(name = "entry_id")
    String entryId;

    @Column(name = "parent_id")
    String parentId;

    @Column(name = "kind")
    String kind;

    @Column(name = "body_json", length = Length.LONG32)
    String bodyJson;

    @Column(name = "created_at")
    Instant createdAt;

    protected EntryEntity() {}

    static EntryEntity of(Entry entry) {
        EntryEntity row = new EntryEntity();
        row.sessionId = entry.sessionId();
        row.sequence = entry.sequence();
        row.entryId = entry.entryId();
        row.parentId = entry.parentId();
        row.kind = entry.kind();
        row.bodyJson = entry.bodyJson();
        row.createdAt = StoredValues.micros(entry.createdAt());
        return row;
    }

    Entry toEntry() {
        return new Entry(sessionId, sequence, entryId, parentId, kind, bodyJson, createdAt);
    }
}
