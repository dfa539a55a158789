package org.berth.event.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.berth.persistence.GroupCommit;
import org.berth.persistence.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The outbox, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class EventRepositoryContractTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123456Z");

    @Parameter
    TestDatabase database;

    private final EventRepository events = new EventRepository();

    @BeforeEach
    void empty() {
        database.clear();
    }

    @Test
    void eventsComeBackInOrderBelowTheHorizon() throws SQLException {
        StoredEvent three = event(3, List.of("a", "b"));
        StoredEvent one = event(1, List.of());
        append(three);
        append(one);
        append(event(5, List.of("c")));
        assertThat(between(0, 5, 10)).containsExactly(one, three);
        assertThat(between(1, 9, 1)).containsExactly(three);
        assertThat(between(5, 9, 10)).isEmpty();
    }

    @Test
    void oldEventsAreRemoved() throws SQLException {
        assertThat(bounds()).containsExactly(0, 0);
        for (int id = 1; id <= 10; id++) {
            append(event(id, List.of()));
        }
        int pruned = with(connection -> events.prune(connection, 8));
        assertThat(pruned).isEqualTo(7);
        assertThat(bounds()).containsExactly(8, 10);
    }

    @Test
    void whatHappenedLongAgoIsRemovedInBatchesAndTheNewestStays() throws SQLException {
        for (int id = 1; id <= 10; id++) {
            append(event(id, List.of()));
        }
        assertThat(this.<Integer>with(connection -> events.removeOlder(connection, NOW, 100)))
                .isZero();
        Instant later = NOW.plusSeconds(1);
        assertThat(this.<Integer>with(connection -> events.removeOlder(connection, later, 4)))
                .isEqualTo(4);
        assertThat(bounds()).containsExactly(5, 10);
        assertThat(this.<Integer>with(connection -> events.removeOlder(connection, later, 100)))
                .isEqualTo(5);
        assertThat(bounds()).as("the next id goes on from there").containsExactly(10, 10);
        assertThat(this.<Integer>with(connection -> events.removeOlder(connection, later, 100)))
                .isZero();
    }

    private long[] bounds() throws SQLException {
        return with(events::bounds);
    }

    private List<StoredEvent> between(long after, long horizon, int limit) throws SQLException {
        return with(connection -> events.between(connection, after, horizon, limit));
    }

    private void append(StoredEvent event) throws SQLException {
        with(connection -> {
            events.append(connection, event);
            return null;
        });
    }

    private <T> T with(GroupCommit.Work<T> work) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            return work.run(connection);
        }
    }

    private static StoredEvent event(long id, List<String> rigs) {
        return new StoredEvent(id, "queue.created", rigs, "{\"qitemId\":\"one\"}", NOW);
    }
}
