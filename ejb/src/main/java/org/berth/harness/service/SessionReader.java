package org.berth.harness.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Set;
import org.berth.access.Caller;
import org.berth.access.Role;
import org.berth.harness.session.Entry;
import org.berth.harness.session.HarnessSession;
import org.berth.harness.session.SessionState;
import org.berth.harness.session.StateDocument;
import org.berth.host.service.Host;
import org.berth.problem.BerthException;

/** Reads sessions on behalf of a caller: an owner finds his own, an operator all. */
@ApplicationScoped
public class SessionReader {
    @Inject
    private Host host;

    @Inject
    private SessionChanges changes;

    /** @throws BerthException NOT_FOUND, also for a session that is another owner's */
    public HarnessSession visible(Caller caller, String sessionId) {
        return changes.read(stores -> stores.sessions().find(sessionId))
                .filter(session -> caller.mayActFor(session.ownerId()))
                .orElseThrow(() -> BerthException.notFound("there is no session " + quoted(sessionId) + " of yours"));
    }

    /**
     * As {@link #visible}, for what only the session's own host can do while it is open.
     *
     * @throws BerthException NOT_FOUND; CONFLICT when it has ended, or runs on another node
     */
    public HarnessSession open(Caller caller, String sessionId) {
        HarnessSession session = visible(caller, sessionId);
        if (!session.hostId().equals(host.hostId())) {
            throw BerthException.conflict("the session runs on host " + session.hostId() + "; ask that node");
        }
        if (session.state() != SessionState.OPEN) {
            throw BerthException.conflict("the session has ended; reopen it first");
        }
        return session;
    }

    /** Newest first; an operator sees every owner's. */
    public List<HarnessSession> newest(Caller caller, int limit) {
        String owner = caller.isOperator() ? null : caller.ownerId();
        return changes.read(stores -> stores.sessions().newest(owner, limit));
    }

    /** In the order of their commits. */
    public List<Entry> entries(HarnessSession session, long after, int limit) {
        return changes.read(stores -> stores.entries().after(session.sessionId(), after, limit));
    }

    /** Committed state only: no output, no progress. */
    public List<StateDocument> state(HarnessSession session) {
        return changes.read(stores -> stores.documents().ofSession(session.sessionId()));
    }

    /** The session's owner, on whose behalf the server acts for it. */
    static Caller owner(HarnessSession session) {
        return owner(session.ownerId());
    }

    static Caller owner(String ownerId) {
        return new Caller(ownerId, Set.of(Role.OWNER), "session");
    }

    private static String quoted(String id) {
        return "'" + (id.length() > 160 ? id.substring(0, 160) + "…" : id) + "'";
    }
}
