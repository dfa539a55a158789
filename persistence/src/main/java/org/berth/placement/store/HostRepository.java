package org.berth.placement.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.time.Instant;
import java.util.Optional;

/** Which host id each node has. Writing needs the caller's transaction. */
@ApplicationScoped
public class HostRepository {
    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public HostRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public HostRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** @param instance what stays the same over restarts of a node and differs between nodes, 1..160 characters */
    public Optional<String> hostIdOf(String instance) {
        return entities.createQuery("select h.hostId from HostEntity h where h.instance = :instance", String.class)
                .setParameter("instance", instance)
                .getResultStream()
                .findFirst();
    }

    /** Records the node's id at its first start. Flushes. @throws jakarta.persistence.PersistenceException when taken */
    public void insert(String hostId, String instance, Instant at) {
        HostEntity row = new HostEntity();
        row.hostId = hostId;
        row.instance = instance;
        row.createdAt = StoredValues.micros(at);
        entities.persist(row);
        entities.flush();
    }
}
