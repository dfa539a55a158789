package org.berth.activity.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.berth.activity.WorkGrant;

/** Stores work grants. Writing methods need the caller's transaction; reading ones do not. */
@ApplicationScoped
public class WorkGrantRepository {
    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public WorkGrantRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public WorkGrantRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** Flushes. @throws jakarta.persistence.PersistenceException when another grant of that name holds */
    public WorkGrant insert(WorkGrant grant) {
        WorkGrantEntity row = WorkGrantEntity.of(grant);
        entities.persist(row);
        entities.flush();
        entities.detach(row);
        return row.toGrant();
    }

    /** The newest of the name, ended or not. */
    public Optional<WorkGrant> find(String name) {
        return query("where g.name = :name order by case when g.holder is null then 1 else 0 end,"
                        + " g.issuedAt desc, g.grantId")
                .setParameter("name", name)
                .setMaxResults(1)
                .getResultStream()
                .map(this::grant)
                .findFirst();
    }

    /** @param tokenHash 64 lower-case hex digits */
    public Optional<WorkGrant> findByHash(String tokenHash) {
        return query("where g.tokenHash = :hash")
                .setParameter("hash", tokenHash)
                .getResultStream()
                .map(this::grant)
                .findFirst();
    }

    /** Newest first. @param seat null for any @param includeEnded also the revoked */
    public List<WorkGrant> list(String seat, boolean includeEnded) {
        TypedQuery<WorkGrantEntity> query = query("where (:seat is null or g.seat = :seat)"
                + (includeEnded ? "" : " and g.revokedAt is null") + " order by g.issuedAt desc, g.grantId");
        return query.setParameter("seat", seat)
                .getResultStream()
                .map(this::grant)
                .toList();
    }

    /** Whether this call ended one: false when no grant of the name holds. */
    public boolean revoke(String name, Instant at, String reason) {
        return entities.createQuery("update WorkGrantEntity g set g.revokedAt = :at, g.revokedReason = :reason,"
                                + " g.holder = null where g.holder = :name")
                        .setParameter("name", name)
                        .setParameter("at", ActivityGrantEntity.micros(at))
                        .setParameter("reason", reason)
                        .executeUpdate()
                == 1;
    }

    private TypedQuery<WorkGrantEntity> query(String rest) {
        return entities.createQuery("select g from WorkGrantEntity g " + rest, WorkGrantEntity.class);
    }

    private WorkGrant grant(WorkGrantEntity row) {
        entities.detach(row);
        return row.toGrant();
    }
}
