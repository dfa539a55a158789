package org.berth.harness.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.harness.store.Sessions.LARGE;
import static org.berth.harness.store.Sessions.NOW;
import static org.berth.harness.store.Sessions.aSession;

import jakarta.persistence.PersistenceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.berth.harness.session.Entry;
import org.berth.harness.session.HarnessSession;
import org.berth.harness.session.SessionState;
import org.berth.harness.session.WorkspaceMode;
import org.berth.persistence.TestDatabase;
import org.berth.placement.store.StoreFailures;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the store of sessions promises, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class SessionRepositoryContractTest {
    @Parameter
    TestDatabase database;

    @BeforeEach
    void empty() {
        database.clear();
    }

    @Test
    void a_session_is_read_back_whole() {
        HarnessSession given = aSession("s1", "owner-1", "parent", NOW);
        assertThat(insert(given)).isEqualTo(given);
        assertThat(find("s1")).contains(given);
        assertThat(find("s2")).isEmpty();
    }

    @Test
    void a_session_without_anything_optional_is_read_back_whole() {
        HarnessSession given = new HarnessSession(
                "s1",
                "owner-1",
                "host-1",
                "/srv",
                "\"off\"",
                0,
                null,
                null,
                WorkspaceMode.SHARED,
                null,
                null,
                0,
                SessionState.ENDED,
                null,
                null,
                NOW,
                NOW,
                0);
        insert(given);
        assertThat(find("s1")).contains(given);
    }

    @Test
    void times_are_cut_to_microseconds() {
        HarnessSession stored = insert(aSession("s1", "owner-1", null, NOW.plusNanos(999)));
        assertThat(stored.createdAt()).isEqualTo(NOW);
        assertThat(find("s1")).contains(stored);
    }

    @Test
    void an_id_is_taken_once() {
        insert(aSession("s1"));
        assertThatExceptionOfType(PersistenceException.class)
                .isThrownBy(() -> insert(aSession("s1", "owner-2", null, NOW)))
                .satisfies(failure -> assertThat(StoreFailures.taken(failure)).isTrue());
        assertThat(find("s1")).map(HarnessSession::ownerId).contains("owner-1");
    }

    @Test
    void a_change_is_stored_with_the_next_version() {
        HarnessSession stored = insert(aSession("s1"));
        HarnessSession changed = stored.withEntry(Sessions.anEntry("s1", 1, null))
                .withEnd(LARGE, NOW.plusSeconds(1))
                .withHandBack(LARGE, NOW.plusSeconds(2));
        HarnessSession saved = save(changed);
        assertThat(saved.version()).isEqualTo(stored.version() + 1);
        assertThat(saved).usingRecursiveComparison().ignoringFields("version").isEqualTo(changed);
        assertThat(find("s1")).contains(saved);
        HarnessSession reopened = save(saved.withReopening("/srv/other", "grant-other", NOW.plusSeconds(3)));
        assertThat(find("s1")).contains(reopened);
        assertThat(reopened.outcome()).isNull();
        assertThat(reopened.grantRef()).isEqualTo("grant-other");
        assertThat(reopened.cwd()).isEqualTo("/srv/other");
    }

    @Test
    void a_change_of_an_old_snapshot_is_refused_and_leaves_nothing() {
        HarnessSession old = insert(aSession("s1"));
        HarnessSession saved = save(old.withHead("entry-1", NOW.plusSeconds(1)));
        assertThatThrownBy(() -> save(old.withEnd("late", NOW.plusSeconds(2))))
                .isInstanceOf(SessionChangedException.class)
                .satisfies(e -> assertThat(StoreFailures.retryable(e)).isTrue());
        assertThat(find("s1")).contains(saved);
    }

    @Test
    void a_session_that_is_not_there_is_not_saved() {
        assertThatExceptionOfType(BerthException.class)
                .isThrownBy(() -> save(aSession("s1")))
                .extracting(BerthException::code)
                .isEqualTo(ProblemCode.NOT_FOUND);
    }

    @Test
    void a_transaction_that_rolls_back_leaves_the_session_as_it_was() {
        HarnessSession stored = insert(aSession("s1"));
        assertThatThrownBy(() -> write(store -> {
                    store.save(stored.withEnd("gone", NOW));
                    throw new IllegalStateException("roll back");
                }))
                .hasMessage("roll back");
        assertThat(find("s1")).contains(stored);
    }

    @Test
    void a_lock_sees_what_was_committed_after_an_earlier_read_of_the_same_transaction() {
        HarnessSession old = insert(aSession("s1"));
        HarnessSession locked = write(store -> {
            store.find("s1");
            save(old.withHead("entry-1", NOW.plusSeconds(1)));
            return store.lock("s1").orElseThrow();
        });
        assertThat(locked.headEntryId()).isEqualTo("entry-1");
        assertThat(this.<Boolean>write(store -> store.lock("none").isPresent())).isFalse();
    }

    @Test
    void saving_twice_in_one_transaction_goes_on_from_the_first_result() {
        insert(aSession("s1"));
        HarnessSession last = write(store -> {
            HarnessSession once = store.save(store.lock("s1").orElseThrow().withHead("entry-1", NOW));
            assertThat(store.find("s1")).contains(once);
            return store.save(once.withEnd("done", NOW));
        });
        assertThat(last.version()).isEqualTo(2);
        assertThat(find("s1")).contains(last);
    }

    @Test
    void entries_appended_at_once_under_the_lock_get_each_sequence_once() throws Exception {
        insert(aSession("s1"));
        int threads = 6;
        int each = 10;
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (int i = 0; i < threads; i++) {
                running.add(pool.submit(() -> {
                    for (int n = 0; n < each; n++) {
                        append();
                    }
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
        HarnessSession last = find("s1").orElseThrow();
        List<Entry> entries = database.reading(e -> new EntryRepository(e).after("s1", 0, 1000));
        assertThat(last.lastEntry()).isEqualTo(threads * each);
        assertThat(last.headEntryId()).isEqualTo(entries.getLast().entryId());
        assertThat(entries).hasSize(threads * each);
        for (int i = 1; i < entries.size(); i++) {
            assertThat(entries.get(i).parentId()).isEqualTo(entries.get(i - 1).entryId());
        }
    }

    @Test
    void the_newest_come_first_of_one_owner_or_of_all() {
        insert(aSession("s1", "owner-1", null, NOW));
        insert(aSession("s3", "owner-2", null, NOW.plusSeconds(1)));
        insert(aSession("s2", "owner-1", null, NOW.plusSeconds(1)));
        assertThat(newest(null, 10)).containsExactly("s2", "s3", "s1");
        assertThat(newest(null, 2)).containsExactly("s2", "s3");
        assertThat(newest("owner-1", 10)).containsExactly("s2", "s1");
        assertThat(newest("owner-1", 1)).containsExactly("s2");
        assertThat(newest("owner-3", 10)).isEmpty();
    }

    @Test
    void children_are_those_of_the_parent_alone_oldest_first() {
        insert(aSession("p"));
        insert(aSession("c2", "owner-1", "p", NOW.plusSeconds(1)));
        insert(aSession("c1", "owner-1", "p", NOW.plusSeconds(2)));
        insert(aSession("grandchild", "owner-1", "c1", NOW.plusSeconds(3)));
        HarnessSession ended = save(find("c2").orElseThrow().withEnd("answered", NOW.plusSeconds(4)));
        List<HarnessSession> children = read(store -> store.childrenOf("p"));
        assertThat(children).containsExactly(ended, find("c1").orElseThrow());
        assertThat(this.<List<HarnessSession>>read(store -> store.childrenOf("c2")))
                .isEmpty();
    }

    private void append() {
        database.inTransaction(entities -> {
            SessionRepository store = new SessionRepository(entities);
            HarnessSession locked = store.lock("s1").orElseThrow();
            Entry entry = new EntryRepository(entities)
                    .append(Sessions.anEntry("s1", locked.nextEntry(), locked.headEntryId()));
            return store.save(locked.withEntry(entry));
        });
    }

    private List<String> newest(String owner, int limit) {
        return read(store -> store.newest(owner, limit).stream()
                .map(HarnessSession::sessionId)
                .toList());
    }

    private HarnessSession insert(HarnessSession session) {
        return write(store -> store.insert(session));
    }

    private HarnessSession save(HarnessSession session) {
        return write(store -> store.save(session));
    }

    private Optional<HarnessSession> find(String id) {
        return read(store -> store.find(id));
    }

    private <T> T read(Function<SessionRepository, T> query) {
        return database.reading(entities -> query.apply(new SessionRepository(entities)));
    }

    private <T> T write(Function<SessionRepository, T> change) {
        return database.inTransaction(entities -> change.apply(new SessionRepository(entities)));
    }
}
