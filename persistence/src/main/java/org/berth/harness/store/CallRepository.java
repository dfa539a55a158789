package org.berth.harness.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.PersistenceException;
import java.util.Comparator;
import java.util.List;
import org.berth.harness.session.CallRecord;
import org.berth.placement.store.StoreFailures;

/** Stores the records of tool calls, which never change. Writing needs the caller's transaction; reading does not. */
@ApplicationScoped
public class CallRepository {
    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public CallRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public CallRepository(EntityManager entities) {
        this.entities = entities;
    }

    /**
     * Flushes.
     *
     * @throws CallRecordedException when the call has a record of the step
     * @throws PersistenceException when there is no such session
     */
    public void insert(CallRecord call) {
        CallEntity row = CallEntity.of(call);
        try {
            entities.persist(row);
            entities.flush();
            entities.detach(row);
        } catch (PersistenceException e) {
            throw StoreFailures.taken(e) ? new CallRecordedException(call.step(), e) : e;
        }
    }

    /** The records of one call, its start first; empty when there is no such call. */
    public List<CallRecord> ofCall(String sessionId, String callId) {
        return entities
                .createQuery(
                        "select c from CallEntity c where c.sessionId = :session and c.callId = :call",
                        CallEntity.class)
                .setParameter("session", sessionId)
                .setParameter("call", callId)
                .getResultList()
                .stream()
                .map(row -> {
                    entities.detach(row);
                    return row.toRecord();
                })
                .sorted(Comparator.comparing(CallRecord::step))
                .toList();
    }

    /** How many records the calls of the session have. */
    public long count(String sessionId) {
        return entities.createQuery("select count(c) from CallEntity c where c.sessionId = :session", Long.class)
                .setParameter("session", sessionId)
                .getSingleResult();
    }
}
