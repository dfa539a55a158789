package org.berth.harness.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.util.List;
import java.util.Optional;
import org.berth.harness.session.Entry;

/**
 * Stores the entries of sessions, which never change. Writing methods need the caller's transaction; reading ones do not.
 */
@ApplicationScoped
public class EntryRepository {
    private static final String COPY = "insert into harness_entries"
            + " (session_id, sequence, entry_id, parent_id, kind, body_json, created_at)"
            + " select cast(:target as varchar(64)), sequence, entry_id, parent_id, kind, body_json, created_at"
            + " from harness_entries where session_id = :source and sequence <= :last";

    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public EntryRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public EntryRepository(EntityManager entities) {
        this.entities = entities;
    }

    /**
     * The caller holds the session's lock and saves the session with this entry in the same transaction. Flushes.
     *
     * @return the stored entry
     * @throws jakarta.persistence.PersistenceException when the sequence or the id is taken in the session, or there is no
     *     such session
     */
    public Entry append(Entry entry) {
        EntryEntity row = EntryEntity.of(entry);
        entities.persist(row);
        entities.flush();
        return detached(row);
    }

    /** An entry of the session by its id, which is unique within the session only. */
    public Optional<Entry> find(String sessionId, String entryId) {
        return query("where e.sessionId = :session and e.entryId = :id")
                .setParameter("session", sessionId)
                .setParameter("id", entryId)
                .getResultStream()
                .map(this::detached)
                .findFirst();
    }

    /** In the order of their commits, from {@code sequence + 1} on. @param limit at least 1 */
    public List<Entry> after(String sessionId, long sequence, int limit) {
        return query("where e.sessionId = :session and e.sequence > :after order by e.sequence")
                .setParameter("session", sessionId)
                .setParameter("after", sequence)
                .setMaxResults(limit)
                .getResultList()
                .stream()
                .map(this::detached)
                .toList();
    }

    /**
     * Gives {@code toSession}, which is stored and has none of them, the entries of {@code fromSession} up to and with
     * {@code sequence}, with their ids, sequences and times, in one statement.
     *
     * @return how many
     * @throws jakarta.persistence.PersistenceException when {@code toSession} has one of the sequences or ids
     */
    public int copyUpTo(String fromSession, long sequence, String toSession) {
        return entities.createNativeQuery(COPY)
                .setParameter("target", toSession)
                .setParameter("source", fromSession)
                .setParameter("last", sequence)
                .executeUpdate();
    }

    private TypedQuery<EntryEntity> query(String rest) {
        return entities.createQuery("select e from EntryEntity e " + rest, EntryEntity.class);
    }

    private Entry detached(EntryEntity row) {
        entities.detach(row);
        return row.toEntry();
    }
}
