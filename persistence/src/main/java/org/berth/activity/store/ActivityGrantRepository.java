package org.berth.activity.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.berth.activity.ActivityGrant;

/** Stores activity grants. Writing methods and locks need the caller's transaction; reading ones do not. */
@ApplicationScoped
public class ActivityGrantRepository {
    private static final String LOCK = "select grant_id, node_id, generation, issued_by, issued_at, revoked_at,"
            + " revoked_reason from activity_grants where token_hash = ? for update";

    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public ActivityGrantRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public ActivityGrantRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** Flushes. @throws jakarta.persistence.PersistenceException when the node has another grant that holds */
    public ActivityGrant insert(ActivityGrant grant) {
        ActivityGrantEntity row = ActivityGrantEntity.of(grant);
        entities.persist(row);
        entities.flush();
        entities.detach(row);
        return row.toGrant();
    }

    public Optional<ActivityGrant> find(String grantId) {
        return first(query("where g.grantId = :id").setParameter("id", grantId));
    }

    /** @param tokenHash 64 lower-case hex digits */
    public Optional<ActivityGrant> findByHash(String tokenHash) {
        return first(query("where g.tokenHash = :hash").setParameter("hash", tokenHash));
    }

    /**
     * On the connection of a shared transaction; the row stays locked until that ends, so that no revocation comes
     * between.
     */
    public Optional<ActivityGrant> lockByHash(Connection connection, String tokenHash) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(LOCK)) {
            select.setString(1, tokenHash);
            try (ResultSet row = select.executeQuery()) {
                return row.next()
                        ? Optional.of(new ActivityGrant(
                                row.getString(1),
                                tokenHash,
                                row.getString(2),
                                row.getString(3),
                                row.getString(4),
                                instant(row, 5),
                                instant(row, 6),
                                row.getString(7)))
                        : Optional.empty();
            }
        }
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /** Newest first. @param nodeId null for any @param includeEnded also the revoked */
    public List<ActivityGrant> list(String nodeId, boolean includeEnded) {
        TypedQuery<ActivityGrantEntity> query = query("where (:node is null or g.nodeId = :node)"
                + (includeEnded ? "" : " and g.revokedAt is null") + " order by g.issuedAt desc, g.grantId");
        return query.setParameter("node", nodeId)
                .getResultStream()
                .map(this::grant)
                .toList();
    }

    /** Whether this call ended it: false when there is no such grant or it was revoked before. */
    public boolean revoke(String grantId, Instant at, String reason) {
        return end("g.grantId = :key and g.revokedAt is null", grantId, at, reason) == 1;
    }

    /** Ends the one of the node that holds, if there is one. */
    public boolean revokeHolder(String nodeId, Instant at, String reason) {
        return end("g.holder = :key", nodeId, at, reason) == 1;
    }

    private int end(String where, String key, Instant at, String reason) {
        return entities.createQuery("update ActivityGrantEntity g set g.revokedAt = :at, g.revokedReason = :reason,"
                        + " g.holder = null where " + where)
                .setParameter("key", key)
                .setParameter("at", ActivityGrantEntity.micros(at))
                .setParameter("reason", reason)
                .executeUpdate();
    }

    private TypedQuery<ActivityGrantEntity> query(String rest) {
        return entities.createQuery("select g from ActivityGrantEntity g " + rest, ActivityGrantEntity.class);
    }

    private Optional<ActivityGrant> first(TypedQuery<ActivityGrantEntity> query) {
        return query.getResultStream().map(this::grant).findFirst();
    }

    private ActivityGrant grant(ActivityGrantEntity row) {
        entities.detach(row);
        return row.toGrant();
    }
}
