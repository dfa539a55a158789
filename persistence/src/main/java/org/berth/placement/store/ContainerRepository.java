package org.berth.placement.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.List;
import java.util.Optional;
import org.berth.container.ContainerRecord;

/** Stores the containers of attempts. Writing methods need the caller's transaction; reading ones do not. */
@ApplicationScoped
public class ContainerRepository {
    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public ContainerRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public ContainerRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** Inserts or replaces the attempt's row; engine, name, labels and the time of the intent stay. Flushes. */
    public ContainerRecord save(ContainerRecord record) {
        ContainerEntity row = ContainerEntity.of(record);
        entities.merge(row);
        entities.flush();
        entities.clear();
        return row.toRecord();
    }

    /** Empty for an attempt that has no container. */
    public Optional<ContainerRecord> find(String attemptId) {
        return entities.createQuery("select c from ContainerEntity c where c.attemptId = :id", ContainerEntity.class)
                .setParameter("id", attemptId)
                .getResultStream()
                .map(this::record)
                .findFirst();
    }

    /** Every container of a host that was not proven absent. */
    public List<ContainerRecord> live(String hostId) {
        return entities.createQuery(
                        "select c from ContainerEntity c where c.hostId = :host and c.phase <> :removed"
                                + " order by c.createdAt, c.attemptId",
                        ContainerEntity.class)
                .setParameter("host", hostId)
                .setParameter("removed", StoredValues.name(ContainerRecord.Phase.REMOVED))
                .getResultStream()
                .map(this::record)
                .toList();
    }

    private ContainerRecord record(ContainerEntity row) {
        entities.detach(row);
        return row.toRecord();
    }
}
