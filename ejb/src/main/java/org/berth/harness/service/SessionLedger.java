package org.berth.harness.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.function.Function;
import org.berth.harness.store.CallRepository;
import org.berth.harness.store.DocumentRepository;
import org.berth.harness.store.EntryRepository;
import org.berth.harness.store.SessionRepository;
import org.berth.harness.store.WorkspaceRepository;

/** The transaction border of sessions and workspaces: one step, one commit. Nothing external happens inside. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class SessionLedger {
    /** What one step may read and write. */
    public record Stores(
            SessionRepository sessions,
            EntryRepository entries,
            DocumentRepository documents,
            CallRepository calls,
            WorkspaceRepository workspaces) {}

    @Inject
    private SessionRepository sessions;

    @Inject
    private EntryRepository entries;

    @Inject
    private DocumentRepository documents;

    @Inject
    private CallRepository calls;

    @Inject
    private WorkspaceRepository workspaces;

    /** Runs {@code step} in a transaction of its own; what it throws undoes it. */
    public <T> T change(Function<Stores, T> step) {
        return step.apply(new Stores(sessions, entries, documents, calls, workspaces));
    }

    /** Runs {@code query} without a transaction of its own. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public <T> T read(Function<Stores, T> query) {
        return query.apply(new Stores(sessions, entries, documents, calls, workspaces));
    }
}
