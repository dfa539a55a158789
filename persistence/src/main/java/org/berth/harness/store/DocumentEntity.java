package org.berth.harness.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.berth.harness.session.StateDocument;
import org.berth.placement.store.StoredValues;
import org.hibernate.Length;

/** The row of one document. */
@Entity
@Table(name = "harness_documents")
@IdClass(DocumentEntity.Key.class)
class DocumentEntity {
    /** The place of a document in a session's state tree. */
    record Key(String sessionId, String documentType, String documentKey) implements Serializable {}

    @Id
    @Column(name = "session_id")
    String sessionId;

    @Id
    @Column(name = "document_type")
    String documentType;

    @Id
    @Column(name = "document_key")
    String documentKey;

    @Column(name = "body_json", length = Length.LONG32)
    String bodyJson;

    @Column(name = "after_entry")
    long afterEntry;

    @Column(name = "created_at")
    Instant createdAt;

    protected DocumentEntity() {}

    static DocumentEntity of(StateDocument document) {
        DocumentEntity row = new DocumentEntity();
        row.sessionId = document.sessionId();
        row.documentType = document.type();
        row.documentKey = document.key();
        row.bodyJson = document.bodyJson();
        row.afterEntry = document.afterEntry();
        row.createdAt = StoredValues.micros(document.createdAt());
        return row;
    }

    StateDocument toDocument() {
        return new StateDocument(sessionId, documentType, documentKey, bodyJson, afterEntry, createdAt);
    }
}
