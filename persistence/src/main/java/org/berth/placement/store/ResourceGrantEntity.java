package org.berth.placement.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourceGrant;
import org.berth.placement.ResourcePurpose;
import org.berth.placement.Wire;

/** The row of one grant; only its end changes. */
@Entity
@Table(name = "resource_grants")
class ResourceGrantEntity {
    @Id
    @Column(name = "grant_ref")
    String grantRef;

    @Column(name = "subject", updatable = false)
    String subject;

    @Column(name = "root", updatable = false)
    String root;

    @Column(name = "subpath", updatable = false)
    String subpath;

    @Column(name = "access", updatable = false)
    String access;

    @Column(name = "purpose", updatable = false)
    String purpose;

    @Column(name = "attempt_id", updatable = false)
    String attemptId;

    @Column(name = "issued_by", updatable = false)
    String issuedBy;

    @Column(name = "issued_at", updatable = false)
    Instant issuedAt;

    @Column(name = "expires_at", updatable = false)
    Instant expiresAt;

    @Column(name = "revoked_at")
    Instant revokedAt;

    protected ResourceGrantEntity() {}

    static ResourceGrantEntity of(ResourceGrant grant) {
        ResourceGrantEntity row = new ResourceGrantEntity();
        row.grantRef = grant.grantRef();
        row.subject = grant.subject();
        row.root = grant.root();
        row.subpath = grant.subpath();
        row.access = Wire.name(grant.access());
        row.purpose = Wire.name(grant.purpose());
        row.attemptId = grant.attemptId();
        row.issuedBy = grant.issuedBy();
        row.issuedAt = StoredValues.micros(grant.issuedAt());
        row.expiresAt = StoredValues.micros(grant.expiresAt());
        row.revokedAt = StoredValues.micros(grant.revokedAt());
        return row;
    }

    ResourceGrant toGrant() {
        return new ResourceGrant(
                grantRef,
                subject,
                root,
                subpath,
                StoredValues.constant(ResourceAccess.class, access),
                StoredValues.constant(ResourcePurpose.class, purpose),
                attemptId,
                issuedBy,
                issuedAt,
                expiresAt,
                revokedAt);
    }
}
