package org.berth.placement;

import java.time.Instant;

/**
 * An owner's right to a directory, issued by an operator.
 *
 * @param grantRef the grant's id
 * @param subject the owner it serves
 * @param root absolute path
 * @param subpath below the root; empty for all of it
 * @param access WRITE includes READ
 * @param purpose what it may be used for
 * @param attemptId the only attempt it serves; null for any of the owner's
 * @param issuedBy the operator's owner id
 * @param expiresAt null for never
 * @param revokedAt null while it holds
 */
public record ResourceGrant(
        String grantRef,
        String subject,
        String root,
        String subpath,
        ResourceAccess access,
        ResourcePurpose purpose,
        String attemptId,
        String issuedBy,
        Instant issuedAt,
        Instant expiresAt,
        Instant revokedAt) {
    /** Not revoked and not expired at {@code now}. */
    public boolean holds(Instant now) {
        return revokedAt == null && (expiresAt == null || now.isBefore(expiresAt));
    }
}
