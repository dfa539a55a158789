package org.berth.activity.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import org.berth.activity.WorkGrant;

/** The row of one work grant; only its end changes. {@code holder} is the name while it holds. Rigs are one a line. */
@Entity
@Table(name = "work_grants")
class WorkGrantEntity {
    @Id
    @Column(name = "grant_id")
    String grantId;

    @Column(name = "name", updatable = false)
    String name;

    @Column(name = "token_hash", updatable = false)
    String tokenHash;

    @Column(name = "seat", updatable = false)
    String seat;

    @Column(name = "rigs", updatable = false)
    String rigs;

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

    protected WorkGrantEntity() {}

    static WorkGrantEntity of(WorkGrant grant) {
        WorkGrantEntity row = new WorkGrantEntity();
        row.grantId = grant.grantId();
        row.name = grant.name();
        row.tokenHash = grant.tokenHash();
        row.seat = grant.seat();
        row.rigs = String.join("\n", grant.rigs());
        row.holder = grant.holds() ? grant.name() : null;
        row.issuedBy = grant.issuedBy();
        row.issuedAt = ActivityGrantEntity.micros(grant.issuedAt());
        row.revokedAt = ActivityGrantEntity.micros(grant.revokedAt());
        row.revokedReason = grant.revokedReason();
        return row;
    }

    WorkGrant toGrant() {
        return new WorkGrant(
                grantId,
                name,
                tokenHash,
                seat,
                rigs.isEmpty() ? List.of() : List.of(rigs.split("\n")),
                issuedBy,
                issuedAt,
                revokedAt,
                revokedReason);
    }
}
