package org.berth.harness.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.util.List;
import org.berth.harness.session.StateDocument;

/** Stores the state trees of sessions. Writing methods need the caller's transaction; reading ones do not. */
@ApplicationScoped
public class DocumentRepository {
    private static final String IN_ORDER = " order by d.createdAt, d.documentType, d.documentKey";

    @PersistenceContext(unitName = "berth")
    private EntityManager entities;

    /** For the container, which injects the entity manager. */
    public DocumentRepository() {}

    /** Works on {@code entities}, whose transactions the caller begins and commits. */
    public DocumentRepository(EntityManager entities) {
        this.entities = entities;
    }

    /**
     * Stores the document, in place of one of the same type and key. Flushes.
     *
     * @throws jakarta.persistence.PersistenceException when another transaction stored one of that type and key meanwhile,
     *     or there is no such session
     */
    public void put(StateDocument document) {
        DocumentEntity row = DocumentEntity.of(document);
        int replaced = entities.createQuery("update DocumentEntity d set d.bodyJson = :body, d.afterEntry = :after,"
                        + " d.createdAt = :at where d.sessionId = :session and d.documentType = :type"
                        + " and d.documentKey = :key")
                .setParameter("body", row.bodyJson)
                .setParameter("after", row.afterEntry)
                .setParameter("at", row.createdAt)
                .setParameter("session", row.sessionId)
                .setParameter("type", row.documentType)
                .setParameter("key", row.documentKey)
                .executeUpdate();
        if (replaced == 0) {
            entities.persist(row);
            entities.flush();
            entities.detach(row);
        }
    }

    /** Removes a document. @return whether it was there */
    public boolean retire(String sessionId, String type, String key) {
        return entities.createQuery("delete from DocumentEntity d where d.sessionId = :session"
                                + " and d.documentType = :type and d.documentKey = :key")
                        .setParameter("session", sessionId)
                        .setParameter("type", type)
                        .setParameter("key", key)
                        .executeUpdate()
                == 1;
    }

    /** Oldest first, then by type and key. */
    public List<StateDocument> ofSession(String sessionId) {
        return list(query("where d.sessionId = :session" + IN_ORDER).setParameter("session", sessionId));
    }

    /** The session's documents of one type, oldest first, then by key. */
    public List<StateDocument> ofType(String sessionId, String type) {
        return list(query("where d.sessionId = :session and d.documentType = :type" + IN_ORDER)
                .setParameter("session", sessionId)
                .setParameter("type", type));
    }

    private TypedQuery<DocumentEntity> query(String rest) {
        return entities.createQuery("select d from DocumentEntity d " + rest, DocumentEntity.class);
    }

    private List<StateDocument> list(TypedQuery<DocumentEntity> query) {
        return query.getResultList().stream()
                .map(row -> {
                    entities.detach(row);
                    return row.toDocument();
                })
                .toList();
    }
}
