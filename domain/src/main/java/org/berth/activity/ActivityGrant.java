package org.berth.activity;

import java.time.Instant;

/**
 * The right of one seat's one generation to post hooks; its secret is kept as a hash only.
 *
 * @param tokenHash sha256 of the token, 64 lower-case hex digits
 * @param revokedAt null while it holds
 * @param revokedReason null while it holds
 */
public record ActivityGrant(
        String grantId,
        String tokenHash,
        String nodeId,
        String generation,
        String issuedBy,
        Instant issuedAt,
        Instant revokedAt,
        String revokedReason) {
    /** Why an earlier grant ends when its seat gets another. Source: the environment reference, activity grants. */
    public static final String REISSUED = "reissued";

    public boolean holds() {
        return revokedAt == null;
    }
}
