package org.berth.placement.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.berth.placement.ResourceGrant;

/** Stores grants. Writing methods need the caller's transaction; reading ones do not. */
@ApplicationScoped
public class ResourceGrantRepository {
    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public ResourceGrantRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public ResourceGrantRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** Flushes. @throws jakarta.persistence.PersistenceException when the id is taken */
    public ResourceGrant insert(ResourceGrant grant) {
        ResourceGrantEntity row = ResourceGrantEntity.of(grant);
        entities.persist(row);
        entities.flush();
        entities.detach(row);
        return row.toGrant();
    }

    public Optional<ResourceGrant> find(String grantRef) {
        return entities.createQuery(
                        "select g from ResourceGrantEntity g where g.grantRef = :ref", ResourceGrantEntity.class)
                .setParameter("ref", grantRef)
                .getResultStream()
                .map(this::grant)
                .findFirst();
    }

    /**
     * Newest first.
     *
     * @param ownerId null for any
     * @param includeEnded also the revoked and the expired
     */
    public List<ResourceGrant> list(String ownerId, boolean includeEnded) {
        StringBuilder where = new StringBuilder("select g from ResourceGrantEntity g where 1 = 1");
        if (ownerId != null) {
            where.append(" and g.subject = :owner");
        }
        if (!includeEnded) {
            where.append(" and g.revokedAt is null and (g.expiresAt is null or g.expiresAt > :now)");
        }
        TypedQuery<ResourceGrantEntity> query =
                entities.createQuery(where + " order by g.issuedAt desc, g.grantRef", ResourceGrantEntity.class);
        if (ownerId != null) {
            query.setParameter("owner", ownerId);
        }
        if (!includeEnded) {
            query.setParameter("now", Instant.now());
        }
        return query.getResultStream().map(this::grant).toList();
    }

    /** Whether this call ended it: false when there is no such grant or it was revoked before. */
    public boolean revoke(String grantRef, Instant at) {
        return entities.createQuery("update ResourceGrantEntity g set g.revokedAt = :at"
                                + " where g.grantRef = :ref and g.revokedAt is null")
                        .setParameter("at", StoredValues.micros(at))
                        .setParameter("ref", grantRef)
                        .executeUpdate()
                == 1;
    }

    private ResourceGrant grant(ResourceGrantEntity row) {
        entities.detach(row);
        return row.toGrant();
    }
}
