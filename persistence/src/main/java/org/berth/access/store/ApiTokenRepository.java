package org.berth.access.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.berth.access.ApiToken;

/** Stores tokens without their secrets. Writing methods need the caller's transaction; reading ones do not. */
@ApplicationScoped
public class ApiTokenRepository {
    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public ApiTokenRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public ApiTokenRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** Flushes. @throws jakarta.persistence.PersistenceException when the id or the hash is taken */
    public ApiToken insert(ApiToken token) {
        ApiTokenEntity row = ApiTokenEntity.of(token);
        entities.persist(row);
        entities.flush();
        entities.detach(row);
        return row.toToken();
    }

    public Optional<ApiToken> find(String tokenId) {
        return query("where t.tokenId = :id")
                .setParameter("id", tokenId)
                .getResultStream()
                .map(this::token)
                .findFirst();
    }

    /** @param secretHash 64 lower-case hex digits */
    public Optional<ApiToken> findByHash(String secretHash) {
        return query("where t.secretHash = :hash")
                .setParameter("hash", secretHash)
                .getResultStream()
                .map(this::token)
                .findFirst();
    }

    /** Newest first, ended ones too. @param ownerId null for any */
    public List<ApiToken> list(String ownerId) {
        String order = " order by t.createdAt desc, t.tokenId";
        TypedQuery<ApiTokenEntity> query = ownerId == null
                ? query(order)
                : query("where t.ownerId = :owner" + order).setParameter("owner", ownerId);
        return query.getResultStream().map(this::token).toList();
    }

    /** Whether this call ended it: false when there is no such token or it was revoked before. */
    public boolean revoke(String tokenId, Instant at) {
        return entities.createQuery("update ApiTokenEntity t set t.revokedAt = :at"
                                + " where t.tokenId = :id and t.revokedAt is null")
                        .setParameter("at", ApiTokenEntity.micros(at))
                        .setParameter("id", tokenId)
                        .executeUpdate()
                == 1;
    }

    private TypedQuery<ApiTokenEntity> query(String rest) {
        return entities.createQuery("select t from ApiTokenEntity t " + rest, ApiTokenEntity.class);
    }

    private ApiToken token(ApiTokenEntity row) {
        entities.detach(row);
        return row.toToken();
    }
}
