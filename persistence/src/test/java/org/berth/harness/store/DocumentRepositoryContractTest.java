package org.berth.harness.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.harness.store.Sessions.LARGE;
import static org.berth.harness.store.Sessions.NOW;

import jakarta.persistence.PersistenceException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.berth.harness.session.CallRecord;
import org.berth.harness.session.CallStep;
import org.berth.harness.session.StateDocument;
import org.berth.persistence.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the store of documents promises, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class DocumentRepositoryContractTest {
    private static final String JOB = "berth.job";

    @Parameter
    TestDatabase database;

    @BeforeEach
    void twoSessions() {
        database.clear();
        Sessions.store(database, "s1", "s2");
    }

    @Test
    void documents_are_read_back_whole_and_oldest_first() {
        StateDocument late = new StateDocument("s1", JOB, "a", LARGE, 5, NOW.plusSeconds(1));
        StateDocument early = new StateDocument("s1", JOB, "b", "{}", 0, NOW);
        StateDocument plan = new StateDocument("s1", "plan", "main", "{\"x\":null}", 2, NOW);
        StateDocument other = new StateDocument("s2", JOB, "a", "{}", 1, NOW);
        put(late, plan, early, other);
        assertThat(ofSession("s1")).containsExactly(early, plan, late);
        assertThat(ofSession("s2")).containsExactly(other);
        assertThat(ofType("s1", JOB)).containsExactly(early, late);
        assertThat(ofType("s2", "plan")).isEmpty();
    }

    @Test
    void a_document_takes_the_place_of_the_one_before() {
        put(new StateDocument("s1", JOB, "a", LARGE, 1, NOW), new StateDocument("s2", JOB, "a", "{\"n\":1}", 1, NOW));
        StateDocument next = new StateDocument("s1", JOB, "a", "{\"n\":2}", 7, NOW.plusSeconds(9));
        put(next);
        assertThat(ofSession("s1")).containsExactly(next);
        assertThat(ofSession("s2")).extracting(StateDocument::bodyJson).containsExactly("{\"n\":1}");
    }

    @Test
    void a_document_put_twice_in_one_transaction_is_the_later_one() {
        StateDocument last = new StateDocument("s1", JOB, "a", "{\"n\":2}", 2, NOW);
        put(new StateDocument("s1", JOB, "a", "{\"n\":1}", 1, NOW), last);
        assertThat(ofSession("s1")).containsExactly(last);
    }

    @Test
    void a_retired_document_is_gone_and_may_come_again() {
        StateDocument kept = new StateDocument("s1", JOB, "b", "{}", 0, NOW);
        StateDocument document = new StateDocument("s1", JOB, "a", "{}", 0, NOW);
        put(document, kept, new StateDocument("s2", JOB, "a", "{}", 0, NOW));
        assertThat(retire("a")).isTrue();
        assertThat(retire("a")).isFalse();
        assertThat(ofSession("s1")).containsExactly(kept);
        assertThat(ofSession("s2")).hasSize(1);
        put(document);
        assertThat(ofType("s1", JOB)).containsExactly(document, kept);
    }

    @Test
    void a_batch_that_fails_leaves_nothing() {
        assertThatThrownBy(() -> put(
                        new StateDocument("s1", JOB, "a", "{}", 0, NOW),
                        new StateDocument("none", JOB, "a", "{}", 0, NOW)))
                .isInstanceOf(PersistenceException.class);
        assertThat(ofSession("s1")).isEmpty();
    }

    @Test
    void no_document_is_stored_without_its_session() {
        assertThatExceptionOfType(PersistenceException.class)
                .isThrownBy(() -> put(new StateDocument("none", JOB, "a", "{}", 0, NOW)));
    }

    /** So that the writer of jobs and the journal of calls neither wait for an append nor deadlock with one. */
    @Test
    void documents_and_call_records_do_not_wait_for_the_sessions_lock() {
        StateDocument document = new StateDocument("s1", JOB, "a", "{}", 0, NOW);
        database.inTransaction(locking -> {
            SessionRepository store = new SessionRepository(locking);
            store.save(store.lock("s1").orElseThrow().withHead("e", NOW));
            CompletableFuture.runAsync(() -> database.inTransaction(entities -> {
                        new DocumentRepository(entities).put(document);
                        new CallRepository(entities).insert(new CallRecord("s1", "c", CallStep.START, "{}", NOW));
                        return null;
                    }))
                    .orTimeout(60, TimeUnit.SECONDS)
                    .join();
            return null;
        });
        assertThat(ofSession("s1")).containsExactly(document);
    }

    private void put(StateDocument... documents) {
        database.inTransaction(entities -> {
            for (StateDocument each : documents) {
                new DocumentRepository(entities).put(each);
            }
            return null;
        });
    }

    private boolean retire(String key) {
        return database.inTransaction(entities -> new DocumentRepository(entities).retire("s1", JOB, key));
    }

    private List<StateDocument> ofSession(String sessionId) {
        return database.reading(entities -> new DocumentRepository(entities).ofSession(sessionId));
    }

    private List<StateDocument> ofType(String sessionId, String type) {
        return database.reading(entities -> new DocumentRepository(entities).ofType(sessionId, type));
    }
}
