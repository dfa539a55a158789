package org.berth.harness.store;

import java.time.Instant;
import org.berth.harness.session.Entry;
import org.berth.harness.session.HarnessSession;
import org.berth.harness.session.SessionState;
import org.berth.harness.session.WorkspaceMode;
import org.berth.persistence.TestDatabase;

/** Sessions and entries for tests. */
final class Sessions {
    static final Instant NOW = Instant.parse("2026-03-01T10:00:00.123456Z");

    /** Larger than what H2 keeps in a row, and than its limit of a varchar. */
    static final String LARGE = "{\"text\":\"" + "Zeile \u00e9\ud83d\ude00\\n".repeat(200_000) + "\"}";

    private Sessions() {}

    static HarnessSession aSession(String id) {
        return aSession(id, "owner-1", null, NOW);
    }

    static HarnessSession aSession(String id, String owner, String parent, Instant createdAt) {
        return new HarnessSession(
                id,
                owner,
                "host-1",
                "/srv/work/\u00e4 \"b\"",
                "{\"on\":{\"bytes\":51200,\"lines\":2000,\"keep\":\"tail\"}}",
                120_000,
                "box",
                parent,
                WorkspaceMode.ISOLATED,
                "grant-1",
                null,
                0,
                SessionState.OPEN,
                null,
                null,
                createdAt,
                createdAt,
                0);
    }

    static Entry anEntry(String sessionId, long sequence, String parentId) {
        return new Entry(
                sessionId, sequence, "entry-" + sequence, parentId, "message", "{\"n\":" + sequence + "}", NOW);
    }

    static void store(TestDatabase database, String... ids) {
        database.inTransaction(entities -> {
            for (String id : ids) {
                new SessionRepository(entities).insert(aSession(id));
            }
            return null;
        });
    }
}
