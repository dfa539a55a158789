package org.berth.harness.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.berth.harness.session.Entry;
import org.berth.harness.session.HarnessSession;
import org.berth.harness.session.SessionState;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;

/** Appends entries to a session's tree: below its head, numbered in the order of their commits. */
@ApplicationScoped
public class EntryWriter {
    /** The kind of an entry that the server writes to tell something. */
    static final String NOTICE = "notice";

    @Inject
    private SessionChanges changes;

    @Inject
    private Clock clock;

    /** @throws BerthException NOT_FOUND, CONFLICT when the session has ended */
    Entry append(String sessionId, String kind, String bodyJson) {
        return changes.change(stores -> append(stores, sessionId, kind, bodyJson));
    }

    /** As {@link #append(String, String, String)}, within a transaction. */
    Entry append(SessionLedger.Stores stores, String sessionId, String kind, String bodyJson) {
        HarnessSession session = stores.sessions()
                .lock(sessionId)
                .orElseThrow(() -> BerthException.notFound("there is no session " + sessionId + " of yours"));
        if (session.state() != SessionState.OPEN) {
            throw BerthException.conflict("the session has ended; reopen it first");
        }
        Entry entry = new Entry(
                sessionId,
                session.nextEntry(),
                "entry-" + UUID.randomUUID(),
                session.headEntryId(),
                kind,
                bodyJson,
                clock.instant().truncatedTo(ChronoUnit.MICROS));
        stores.entries().append(entry);
        stores.sessions().save(session.withEntry(entry));
        return entry;
    }

    /** Tells the session's main conversation. */
    Entry notice(String sessionId, String what, Map<String, Object> body) {
        Map<String, Object> tree = new LinkedHashMap<>(body);
        tree.put("notice", what);
        return append(sessionId, NOTICE, CanonicalJson.write(tree));
    }
}
