package org.berth.activity;

import java.time.Instant;
import java.util.List;

/**
 * The right of one seat to coordinate over MCP within its rigs; its secret is kept as a hash only.
 *
 * @param name what its issuer calls it, and what work records as the principal
 * @param tokenHash sha256 of the token, 64 lower-case hex digits
 * @param rigs names of the rigs whose seats and work it may see
 * @param revokedAt null while it holds
 */
public record WorkGrant(
        String grantId,
        String name,
        String tokenHash,
        String seat,
        List<String> rigs,
        String issuedBy,
        Instant issuedAt,
        Instant revokedAt,
        String revokedReason) {
    public WorkGrant {
        rigs = List.copyOf(rigs);
    }

    public boolean holds() {
        return revokedAt == null;
    }
}
