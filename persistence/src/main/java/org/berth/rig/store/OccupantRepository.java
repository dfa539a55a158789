package org.berth.rig.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.berth.rig.GenerationState;
import org.berth.rig.Occupant;

/** Stores the occupants of nodes. Writing methods need the caller's transaction, which holds the node's lock. */
@ApplicationScoped
public class OccupantRepository {
    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public OccupantRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public OccupantRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** Pending, unless it is there already. Flushes. @return whether it is new */
    public boolean reserve(String nodeId, String generation, Instant at) {
        if (row(nodeId, generation) != null) {
            return false;
        }
        OccupantEntity row = new OccupantEntity();
        row.nodeId = nodeId;
        row.generation = generation;
        row.become(GenerationState.PENDING);
        row.reservedAt = at.truncatedTo(ChronoUnit.MICROS);
        entities.persist(row);
        entities.flush();
        return true;
    }

    /**
     * Makes a pending generation the current one, and the current one and every other stale. Flushes.
     *
     * @return whether something changed: false for one that is current already
     */
    public boolean register(String nodeId, String generation, Instant at) {
        OccupantEntity row = row(nodeId, generation);
        if (row.toOccupant().state() != GenerationState.PENDING) {
            return false;
        }
        Instant now = at.truncatedTo(ChronoUnit.MICROS);
        entities.createQuery("update OccupantEntity o set o.state = :stale, o.replacedAt = :at where o.nodeId = :node"
                        + " and o.generation <> :generation and o.state <> :stale")
                .setParameter("stale", OccupantEntity.wire(GenerationState.STALE))
                .setParameter("at", now)
                .setParameter("node", nodeId)
                .setParameter("generation", generation)
                .executeUpdate();
        row.become(GenerationState.CURRENT);
        row.registeredAt = now;
        entities.flush();
        return true;
    }

    /** What runs a generation, once it is known; null leaves a value as it is. Flushes. */
    public void identify(String nodeId, String generation, String sessionId, String nativeType, String nativeId) {
        OccupantEntity row = row(nodeId, generation);
        row.sessionId = sessionId == null ? row.sessionId : sessionId;
        row.nativeType = nativeType == null ? row.nativeType : nativeType;
        row.nativeId = nativeId == null ? row.nativeId : nativeId;
        entities.flush();
    }

    public Optional<Occupant> find(String nodeId, String generation) {
        return first(query("where o.nodeId = :node and o.generation = :generation")
                .setParameter("node", nodeId)
                .setParameter("generation", generation));
    }

    public Optional<Occupant> current(String nodeId) {
        return first(query("where o.nodeId = :node and o.state = :state")
                .setParameter("node", nodeId)
                .setParameter("state", OccupantEntity.wire(GenerationState.CURRENT)));
    }

    /** Newest reserved first. */
    public List<Occupant> newest(String nodeId, int limit) {
        return list(query("where o.nodeId = :node order by o.reservedAt desc, o.generation")
                .setParameter("node", nodeId)
                .setMaxResults(limit));
    }

    private OccupantEntity row(String nodeId, String generation) {
        return entities.find(OccupantEntity.class, new OccupantEntity.Key(nodeId, generation));
    }

    private TypedQuery<OccupantEntity> query(String rest) {
        return entities.createQuery("select o from OccupantEntity o " + rest, OccupantEntity.class);
    }

    private Optional<Occupant> first(TypedQuery<OccupantEntity> query) {
        return list(query).stream().findFirst();
    }

    private List<Occupant> list(TypedQuery<OccupantEntity> query) {
        return query.getResultList().stream()
                .map(row -> {
                    entities.detach(row);
                    return row.toOccupant();
                })
                .toList();
    }
}
