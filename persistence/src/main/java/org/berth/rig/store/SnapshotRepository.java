package org.berth.rig.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.berth.problem.BerthException;
import org.berth.rig.RigSnapshot;

/** Stores snapshots of rigs. Writing methods need the caller's transaction; reading ones do not. */
@ApplicationScoped
public class SnapshotRepository {
    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public SnapshotRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public SnapshotRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** Flushes. @param checkpoints the checkpoints that it refers to */
    public void insert(RigSnapshot snapshot, Set<String> checkpoints) {
        entities.persist(SnapshotEntity.of(snapshot, checkpoints));
        entities.flush();
    }

    public Optional<RigSnapshot> find(String snapshotId) {
        return all(snapshots("where s.snapshotId = :id").setParameter("id", snapshotId)).stream()
                .findFirst();
    }

    /**
     * Newest first.
     *
     * @param after the last snapshot of the page before; null for the first page
     * @throws BerthException INVALID for a cursor that names no snapshot
     */
    public List<RigSnapshot> page(String rigId, String after, int limit) {
        if (after == null) {
            return all(snapshots("where s.rigId = :rig order by s.createdAt desc, s.snapshotId")
                    .setParameter("rig", rigId)
                    .setMaxResults(limit));
        }
        RigSnapshot last = find(after).orElseThrow(() -> BerthException.invalid("after names no snapshot"));
        return all(snapshots("where s.rigId = :rig and (s.createdAt < :at or (s.createdAt = :at"
                        + " and s.snapshotId > :after)) order by s.createdAt desc, s.snapshotId")
                .setParameter("rig", rigId)
                .setParameter("at", last.createdAt())
                .setParameter("after", after)
                .setMaxResults(limit));
    }

    /** The ids of the snapshots that refer to the checkpoint, in their order. */
    public List<String> referring(String checkpointId) {
        return entities.createQuery(
                        "select s.snapshotId from SnapshotEntity s where :id member of s.checkpoints"
                                + " order by s.createdAt, s.snapshotId",
                        String.class)
                .setParameter("id", checkpointId)
                .getResultList();
    }

    /** The data of every snapshot. */
    public List<String> data() {
        return entities.createQuery("select s.data from SnapshotEntity s", String.class)
                .getResultList();
    }

    /** Flushes. @return whether there was one */
    public boolean delete(String snapshotId) {
        SnapshotEntity row = entities.find(SnapshotEntity.class, snapshotId);
        if (row == null) {
            return false;
        }
        entities.remove(row);
        entities.flush();
        return true;
    }

    private TypedQuery<SnapshotEntity> snapshots(String rest) {
        return entities.createQuery("select s from SnapshotEntity s " + rest, SnapshotEntity.class);
    }

    private List<RigSnapshot> all(TypedQuery<SnapshotEntity> query) {
        return query.getResultList().stream()
                .map(row -> {
                    entities.detach(row);
                    return row.toSnapshot();
                })
                .toList();
    }
}
