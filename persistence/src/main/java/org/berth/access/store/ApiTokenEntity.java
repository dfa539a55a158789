package org.berth.access.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.access.ApiToken;
import org.berth.access.Role;

/** The row of one token; only its end changes. Roles stand as wire names parted by commas. */
@Entity
@Table(name = "api_tokens")
class ApiTokenEntity {
    @Id
    @Column(name = "token_id")
    String tokenId;

    @Column(name = "secret_hash", updatable = false)
    String secretHash;

    @Column(name = "owner_id", updatable = false)
    String ownerId;

    @Column(name = "roles", updatable = false)
    String roles;

    @Column(name = "name", updatable = false)
    String name;

    @Column(name = "created_at", updatable = false)
    Instant createdAt;

    @Column(name = "expires_at", updatable = false)
    Instant expiresAt;

    @Column(name = "revoked_at")
    Instant revokedAt;

    @Column(name = "seat", updatable = false)
    String seat;

    protected ApiTokenEntity() {}

    static ApiTokenEntity of(ApiToken token) {
        ApiTokenEntity row = new ApiTokenEntity();
        row.tokenId = token.tokenId();
        row.secretHash = token.secretHash();
        row.ownerId = token.ownerId();
        row.roles = token.roles().stream().map(Role::wire).sorted().collect(Collectors.joining(","));
        row.name = token.name();
        row.createdAt = micros(token.createdAt());
        row.expiresAt = micros(token.expiresAt());
        row.revokedAt = micros(token.revokedAt());
        row.seat = token.seat();
        return row;
    }

    ApiToken toToken() {
        return new ApiToken(tokenId, secretHash, ownerId, roleSet(), name, createdAt, expiresAt, revokedAt, seat);
    }

    static Instant micros(Instant instant) {
        return instant == null ? null : instant.truncatedTo(ChronoUnit.MICROS);
    }

    /** A name that this release does not know gives no right. */
    private Set<Role> roleSet() {
        return Stream.of(roles.split(","))
                .map(Role::parse)
                .flatMap(Optional::stream)
                .collect(Collectors.toUnmodifiableSet());
    }
}
