package org.berth.harness.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import org.berth.harness.session.HarnessSession;
import org.berth.harness.session.SessionState;
import org.berth.harness.session.WorkspaceMode;
import org.berth.placement.store.StoredValues;
import org.hibernate.Length;
import org.hibernate.annotations.DynamicUpdate;

/** The row of one session. */
@Entity
@Table(name = "harness_sessions")
@DynamicUpdate
class SessionEntity {
    @Id
    @Column(name = "session_id")
    String sessionId;

    @Column(name = "owner_id", updatable = false)
    String ownerId;

    @Column(name = "host_id", updatable = false)
    String hostId;

    @Column(name = "cwd")
    String cwd;

    @Column(name = "truncation_json", updatable = false)
    String truncationJson;

    @Column(name = "budget_millis", updatable = false)
    long budgetMillis;

    @Column(name = "kernel_transport", updatable = false)
    String kernelTransport;

    @Column(name = "parent_id", updatable = false)
    String parentId;

    @Column(name = "workspace", updatable = false)
    String workspace;

    @Column(name = "grant_ref")
    String grantRef;

    @Column(name = "head_entry_id")
    String headEntryId;

    @Column(name = "last_entry")
    long lastEntry;

    @Column(name = "state")
    String state;

    @Column(name = "outcome", length = Length.LONG32)
    String outcome;

    @Column(name = "hand_back_json", length = Length.LONG32)
    String handBackJson;

    @Column(name = "created_at", updatable = false)
    Instant createdAt;

    @Column(name = "updated_at")
    Instant updatedAt;

    @Version
    @Column(name = "version")
    long version;

    protected SessionEntity() {}

    static SessionEntity of(HarnessSession session) {
        SessionEntity row = new SessionEntity();
        row.sessionId = session.sessionId();
        row.ownerId = session.ownerId();
        row.hostId = session.hostId();
        row.truncationJson = session.truncationJson();
        row.budgetMillis = session.budgetMillis();
        row.kernelTransport = session.kernelTransport();
        row.parentId = session.parentId();
        row.workspace = StoredValues.name(session.workspace());
        row.createdAt = StoredValues.micros(session.createdAt());
        row.change(session);
        return row;
    }

    /** Writes what may change after the insert; never the version, which is the store's. */
    void change(HarnessSession session) {
        grantRef = session.grantRef();
        cwd = session.cwd();
        headEntryId = session.headEntryId();
        lastEntry = session.lastEntry();
        state = StoredValues.name(session.state());
        outcome = session.outcome();
        handBackJson = session.handBackJson();
        updatedAt = StoredValues.micros(session.updatedAt());
    }

    HarnessSession toSession() {
        return new HarnessSession(
                sessionId,
                ownerId,
                hostId,
                cwd,
                truncationJson,
                budgetMillis,
                kernelTransport,
                parentId,
                StoredValues.constant(WorkspaceMode.class, workspace),
                grantRef,
                headEntryId,
                lastEntry,
                StoredValues.constant(SessionState.class, state),
                outcome,
                handBackJson,
                createdAt,
                updatedAt,
                version);
    }
}
