package org.berth.placement.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.berth.placement.Attempt;
import org.berth.placement.CleanupState;
import org.berth.placement.ExecutionState;
import org.berth.preparer.PreparerPhase;

/**
 * Attempts that nothing needs any more: exited, cleaned, without a session home or a preparer's plan that waits for its
 * cleanup, unchanged since a time, and named by no grant in force. Needs the caller's transaction.
 */
@ApplicationScoped
public class ExpiredAttempts {
    private static final String EXPIRED = """
            select a from AttemptEntity a
            where a.hostId = :host and a.executionState = :exited and a.cleanupState = :complete
              and a.sessionHolder is null and a.updatedAt < :before
              and not exists (select g.grantRef from ResourceGrantEntity g
                  where g.attemptId = a.attemptId and g.revokedAt is null
                    and (g.expiresAt is null or g.expiresAt > :now))
              and not exists (select s.position from PreparerStateEntity s
                  where s.attemptId = a.attemptId and s.phase in (:outstanding))
            """;

    /** What refers to an attempt. */
    private static final List<String> OF_ATTEMPT = List.of("evidence", "preparer_states", "attempt_deliveries");

    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public ExpiredAttempts() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public ExpiredAttempts(EntityManager entities) {
        this.entities = entities;
    }

    /** At most {@code bound}, those unchanged for longest first. */
    public List<Attempt> find(String hostId, Instant before, Instant now, int bound) {
        return query(EXPIRED + " order by a.updatedAt, a.attemptId", hostId, before, now)
                .setMaxResults(bound)
                .getResultList()
                .stream()
                .map(AttemptMapper::attempt)
                .toList();
    }

    /** Removes those of {@code attemptIds} that are still expired, whole. @return how many */
    public int remove(String hostId, Collection<String> attemptIds, Instant before, Instant now) {
        if (attemptIds.isEmpty()) {
            return 0;
        }
        List<String> locked = query(EXPIRED + " and a.attemptId in (:ids) order by a.attemptId", hostId, before, now)
                .setParameter("ids", attemptIds)
                .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                .getResultList()
                .stream()
                .map(row -> row.attemptId)
                .toList();
        if (locked.isEmpty()) {
            return 0;
        }
        for (String table : OF_ATTEMPT) {
            entities.createNativeQuery("delete from " + table + " where attempt_id in (:ids)")
                    .setParameter("ids", locked)
                    .executeUpdate();
        }
        int removed = entities.createQuery("delete from AttemptEntity a where a.attemptId in (:ids)")
                .setParameter("ids", locked)
                .executeUpdate();
        entities.clear();
        return removed;
    }

    private TypedQuery<AttemptEntity> query(String text, String hostId, Instant before, Instant now) {
        return entities.createQuery(text, AttemptEntity.class)
                .setParameter("host", hostId)
                .setParameter("exited", StoredValues.name(ExecutionState.EXITED))
                .setParameter("complete", StoredValues.name(CleanupState.COMPLETE))
                .setParameter(
                        "outstanding",
                        PreparerPhase.outstanding().stream()
                                .map(StoredValues::name)
                                .toList())
                .setParameter("before", StoredValues.micros(before))
                .setParameter("now", StoredValues.micros(now));
    }
}
