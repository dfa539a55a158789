package org.berth.harness.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.util.List;
import java.util.Optional;
import org.berth.harness.session.HarnessSession;
import org.berth.problem.BerthException;

/**
 * Stores sessions. Writing and locking methods need the caller's transaction; reading ones do not. What it gives are
 * snapshots: a change takes effect only through {@link #save}.
 */
@ApplicationScoped
public class SessionRepository {
    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public SessionRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public SessionRepository(EntityManager entities) {
        this.entities = entities;
    }

    /**
     * Flushes.
     *
     * @return the stored snapshot
     * @throws jakarta.persistence.PersistenceException when the id is taken
     */
    public HarnessSession insert(HarnessSession session) {
        SessionEntity row = SessionEntity.of(session);
        entities.persist(row);
        entities.flush();
        return snapshot(row);
    }

    public Optional<HarnessSession> find(String sessionId) {
        return all(query("where s.sessionId = :id").setParameter("id", sessionId)).stream()
                .findFirst();
    }

    /** Holds the row until the transaction ends. The snapshot is the newest committed one. */
    public Optional<HarnessSession> lock(String sessionId) {
        return Optional.ofNullable(locked(sessionId)).map(SessionEntity::toSession);
    }

    /**
     * Writes the parts of {@code changed} that may change: directory, head, last entry, state, outcome, hand-back and the
     * time of the update. Takes the row's lock when the caller did not. Flushes.
     *
     * @return the stored snapshot, with its new version
     * @throws SessionChangedException when {@code changed} was not made from the newest snapshot
     * @throws BerthException NOT_FOUND
     */
    public HarnessSession save(HarnessSession changed) {
        try {
            SessionEntity row = locked(changed.sessionId());
            if (row == null) {
                throw BerthException.notFound("there is no such session");
            }
            if (row.version != changed.version()) {
                throw new OptimisticLockException("the snapshot is not the newest one");
            }
            row.change(changed);
            entities.flush();
            return row.toSession();
        } catch (OptimisticLockException e) {
            throw new SessionChangedException(changed.sessionId(), e);
        }
    }

    /** Newest first. @param ownerId null for any @param limit at least 1 */
    public List<HarnessSession> newest(String ownerId, int limit) {
        String order = " order by s.createdAt desc, s.sessionId";
        TypedQuery<SessionEntity> query = ownerId == null
                ? query(order)
                : query("where s.ownerId = :owner" + order).setParameter("owner", ownerId);
        return all(query.setMaxResults(limit));
    }

    /** The sessions whose parent it is, ended ones too; oldest first. */
    public List<HarnessSession> childrenOf(String sessionId) {
        return all(query("where s.parentId = :parent order by s.createdAt, s.sessionId")
                .setParameter("parent", sessionId));
    }

    private SessionEntity locked(String sessionId) {
        return entities.find(SessionEntity.class, sessionId, LockModeType.PESSIMISTIC_WRITE);
    }

    private TypedQuery<SessionEntity> query(String rest) {
        return entities.createQuery("select s from SessionEntity s " + rest, SessionEntity.class);
    }

    private List<HarnessSession> all(TypedQuery<SessionEntity> query) {
        return query.getResultList().stream().map(this::snapshot).toList();
    }

    /** Detaches, so that a later lock reads the row again instead of trusting a stale copy. */
    private HarnessSession snapshot(SessionEntity row) {
        entities.detach(row);
        return row.toSession();
    }
}
