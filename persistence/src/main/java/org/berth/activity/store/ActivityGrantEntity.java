package org.berth.activity.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.berth.activity.ActivityGrant;

/** The row of one activity grant; only its end changes. {@code holder} is the node while it holds, so that it is unique. */
@Entity
@Table(name = "activity_grants")
class ActivityGrantEntity {
    @Id
    @Column(name = "grant_id")
    String grantId;

    @Column(name = "token_hash", updatable = false)
    String tokenHash;

    @Column(name = "node_id", updatable = false)
    String nodeId;

    @Column(name = "generation", updatable = false)
    String generation;

    @Column(name = "holder")
    String holder;

    @Column(name = "issued_by", updatable = false)
    String issuedBy;

    @Column(name = "issued_at", updatable = false)
    Instant issuedAt;

    @Column(name = "revoked_at")
    Instant revokedAt;

    @Column(name = "revoked_reason")
    String revokedReason;

    protected ActivityGrantEntity() {}

    static ActivityGrantEntity of(ActivityGrant grant) {
        ActivityGrantEntity row = new ActivityGrantEntity();
        row.grantId = grant.grantId();
        row.tokenHash = grant.tokenHash();
        row.nodeId = grant.nodeId();
        row.generation = grant.generation();
        row.holder = grant.holds() ? grant.nodeId() : null;
        row.issuedBy = grant.issuedBy();
        row.issuedAt = micros(grant.issuedAt());
        row.revokedAt = micros(grant.revokedAt());
        row.revokedReason = grant.revokedReason();
        return row;
    }

    ActivityGrant toGrant() {
        return new ActivityGrant(grantId, tokenHash, nodeId, generation, issuedBy, issuedAt, revokedAt, revokedReason);
    }

    /** Cut to what both databases keep, so that a record equals itself after a round trip; null stays null. */
    static Instant micros(Instant instant) {
        return instant == null ? null : instant.truncatedTo(ChronoUnit.MICROS);
    }
}
