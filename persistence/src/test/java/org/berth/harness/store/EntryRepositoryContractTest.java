package org.berth.harness.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.berth.harness.store.Sessions.LARGE;
import static org.berth.harness.store.Sessions.NOW;
import static org.berth.harness.store.Sessions.anEntry;

import jakarta.persistence.PersistenceException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.berth.harness.session.Entry;
import org.berth.persistence.TestDatabase;
import org.berth.placement.store.StoreFailures;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the store of entries promises, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class EntryRepositoryContractTest {
    @Parameter
    TestDatabase database;

    @BeforeEach
    void twoSessions() {
        database.clear();
        Sessions.store(database, "s1", "s2");
    }

    @Test
    void an_entry_is_found_by_its_id_within_its_session() {
        Entry root = append(anEntry("s1", 1, null));
        Entry large = append(new Entry("s1", 2, "large", root.entryId(), "tool-result", LARGE, NOW));
        assertThat(find("s1", root.entryId())).contains(root).contains(anEntry("s1", 1, null));
        assertThat(find("s1", "large")).contains(large);
        assertThat(find("s2", "large")).isEmpty();
        assertThat(find("s1", "none")).isEmpty();
    }

    @Test
    void times_are_cut_to_microseconds() {
        Entry entry = append(new Entry("s1", 1, "e", null, "message", "{}", NOW.plusNanos(999)));
        assertThat(entry.createdAt()).isEqualTo(NOW);
        assertThat(find("s1", "e")).contains(entry);
    }

    @Test
    void entries_are_read_in_pieces_after_a_sequence() {
        Entry first = append(anEntry("s1", 1, null));
        Entry second = append(anEntry("s1", 2, "entry-1"));
        Entry third = append(anEntry("s1", 3, "entry-1"));
        append(anEntry("s2", 1, null));
        assertThat(after("s1", 0, 10)).containsExactly(first, second, third);
        assertThat(after("s1", 1, 1)).containsExactly(second);
        assertThat(after("s1", 3, 10)).isEmpty();
    }

    @Test
    void a_sequence_and_an_id_are_taken_once_in_a_session() {
        Entry first = append(anEntry("s1", 1, null));
        refused(new Entry("s1", 1, "other", null, "message", "{}", NOW));
        refused(new Entry("s1", 2, first.entryId(), null, "message", "{}", NOW));
        append(anEntry("s2", 1, null));
        assertThat(after("s1", 0, 10)).containsExactly(first);
    }

    @Test
    void no_entry_is_stored_without_its_session() {
        assertThatExceptionOfType(PersistenceException.class).isThrownBy(() -> append(anEntry("none", 1, null)));
    }

    @Test
    void a_fork_has_the_entries_up_to_the_sequence_as_they_were() {
        append(anEntry("s1", 1, null));
        append(new Entry("s1", 2, "large", "entry-1", "message", LARGE, NOW.plusSeconds(1)));
        append(anEntry("s1", 3, "large"));
        assertThat(copy(2)).isEqualTo(2);
        assertThat(after("s2", 0, 10))
                .containsExactly(
                        anEntry("s2", 1, null),
                        new Entry("s2", 2, "large", "entry-1", "message", LARGE, NOW.plusSeconds(1)));
        assertThat(after("s1", 0, 10)).hasSize(3);
        Entry next = append(anEntry("s2", 3, "large"));
        assertThat(after("s2", 2, 10)).containsExactly(next);
    }

    @Test
    void a_fork_before_every_entry_has_none() {
        append(anEntry("s1", 1, null));
        assertThat(copy(0)).isZero();
        assertThat(after("s2", 0, 10)).isEmpty();
    }

    @Test
    void a_fork_into_a_session_with_entries_is_refused_whole() {
        append(anEntry("s1", 1, null));
        append(anEntry("s1", 2, "entry-1"));
        Entry own = append(anEntry("s2", 2, null));
        assertThatExceptionOfType(PersistenceException.class)
                .isThrownBy(() -> copy(2))
                .satisfies(failure -> assertThat(StoreFailures.taken(failure)).isTrue());
        assertThat(after("s2", 0, 10)).containsExactly(own);
    }

    private void refused(Entry entry) {
        assertThatExceptionOfType(PersistenceException.class)
                .isThrownBy(() -> append(entry))
                .satisfies(failure -> assertThat(StoreFailures.taken(failure)).isTrue());
    }

    private int copy(long sequence) {
        return write(store -> store.copyUpTo("s1", sequence, "s2"));
    }

    private Entry append(Entry entry) {
        return write(store -> store.append(entry));
    }

    private Optional<Entry> find(String sessionId, String entryId) {
        return database.reading(entities -> new EntryRepository(entities).find(sessionId, entryId));
    }

    private List<Entry> after(String sessionId, long sequence, int limit) {
        return database.reading(entities -> new EntryRepository(entities).after(sessionId, sequence, limit));
    }

    private <T> T write(Function<EntryRepository, T> change) {
        return database.inTransaction(entities -> change.apply(new EntryRepository(entities)));
    }
}
