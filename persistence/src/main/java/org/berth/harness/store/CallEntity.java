package org.berth.harness.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.berth.harness.session.CallRecord;
import org.berth.harness.session.CallStep;
import org.berth.placement.store.StoredValues;
import org.hibernate.Length;
import org.hibernate.annotations.Immutable;

/** The row of one record of a tool call; written once. */
@Entity
@Table(name = "harness_calls")
@IdClass(CallEntity.Key.class)
@Immutable
class CallEntity {
    /** A call of a session and one of its two steps. */
    record Key(String sessionId, String callId, String step) implements Serializable {}

    @Id
    @Column(name = "session_id")
    String sessionId;

    @Id
    @Column(name = "call_id")
    String callId;

    @Id
    @Column(name = "step")
    String step;

    @Column(name = "body_json", length = Length.LONG32)
    String bodyJson;

    @Column(name = "created_at")
    Instant createdAt;

    protected CallEntity() {}

    static CallEntity of(CallRecord call) {
        CallEntity row = new CallEntity();
        row.sessionId = call.sessionId();
        row.callId = call.callId();
        row.step = StoredValues.name(call.step());
        row.bodyJson = call.bodyJson();
        row.createdAt = StoredValues.micros(call.createdAt());
        return row;
    }

    CallRecord toRecord() {
        return new CallRecord(sessionId, callId, StoredValues.constant(CallStep.class, step), bodyJson, createdAt);
    }
}
