package org.berth.access;

import java.time.Instant;
import java.util.Set;

/**
 * What is kept of a bearer token; never its secret.
 *
 * @param tokenId 16 lower-case hex digits, no secret
 * @param secretHash sha256 of the secret, 64 lower-case hex digits
 * @param name what its issuer calls it
 * @param expiresAt null for never
 * @param revokedAt null while it holds
 * @param seat the seat, {@code member@rig}, of a token of role SEAT; null for others
 */
public record ApiToken(
        String tokenId,
        String secretHash,
        String ownerId,
        Set<Role> roles,
        String name,
        Instant createdAt,
        Instant expiresAt,
        Instant revokedAt,
        String seat) {
    public ApiToken {
        roles = Set.copyOf(roles);
    }

    /** A token without a seat. */
    public ApiToken(
            String tokenId,
            String secretHash,
            String ownerId,
            Set<Role> roles,
            String name,
            Instant createdAt,
            Instant expiresAt,
            Instant revokedAt) {
        this(tokenId, secretHash, ownerId, roles, name, createdAt, expiresAt, revokedAt, null);
    }

    /** Not revoked and not expired at {@code now}. */
    public boolean holds(Instant now) {
        return revokedAt == null && (expiresAt == null || now.isBefore(expiresAt));
    }

    public Caller caller() {
        return new Caller(ownerId, roles, tokenId, seat);
    }
}
