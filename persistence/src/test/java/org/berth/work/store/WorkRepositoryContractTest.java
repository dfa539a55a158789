package org.berth.work.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.persistence.GroupCommit;
import org.berth.persistence.TestDatabase;
import org.berth.work.Actor;
import org.berth.work.ClosureReason;
import org.berth.work.WorkAction;
import org.berth.work.WorkChange;
import org.berth.work.WorkDecision;
import org.berth.work.WorkItem;
import org.berth.work.WorkLifecycle;
import org.berth.work.WorkPriority;
import org.berth.work.WorkState;
import org.berth.work.WorkTransition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The queue's rows, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class WorkRepositoryContractTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123456Z");
    private static final Actor SOURCE =
            new Actor("lead@team", Actor.PRINCIPAL, "{\"source\":\"token\",\"id\":\"0123\"}");
    private static final Actor WORKER = new Actor("worker@team", Actor.DECLARED, null);

    @Parameter
    TestDatabase database;

    private final WorkRepository items = new WorkRepository();

    @BeforeEach
    void empty() {
        database.clear();
    }

    @Test
    void anItemComesBackAsItWasStored() throws SQLException {
        WorkItem item = item("one", "worker@team", NOW, "Zeile \u00e9\ud83d\ude00\n".repeat(3000));
        insert(item);
        assertThat(find("one")).contains(item);
        assertThat(find("two")).isEmpty();
        assertThat(transitions(0)).containsExactly(creation(item));
    }

    @Test
    void aSecondItemOfTheSameIdIsRefusedAsADuplicate() throws SQLException {
        insert(item("one", "worker@team", NOW, "x"));
        assertThatThrownBy(() -> insert(item("one", "worker@team", NOW, "x")))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        refused -> assertThat(refused.getSQLState()).isEqualTo("23505"));
    }

    @Test
    void aChangeIsStoredWithItsTransition() throws SQLException {
        insert(item("one", "worker@team", NOW, "x"));
        WorkChange done =
                new WorkChange(WorkAction.UPDATE, WorkState.DONE, ClosureReason.ESCALATION, "lead@team", "note");
        WorkDecision.Apply apply = write(connection -> {
            WorkItem locked = items.lock(connection, "one").orElseThrow();
            WorkDecision.Apply decided =
                    (WorkDecision.Apply) WorkLifecycle.decide(locked, WORKER, done, NOW.plusSeconds(1));
            items.save(connection, decided.item(), decided.transition());
            return decided;
        });
        assertThat(find("one")).contains(apply.item());
        assertThat(transitions(1)).containsExactly(apply.transition());
    }

    @Test
    void pagesFollowTheFilterNewestFirst() throws SQLException {
        List<WorkItem> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            WorkItem item = item("t" + i, i == 4 ? "w@te_m" : "worker@team", NOW.plusSeconds(i / 2), "x");
            insert(item);
            all.add(item);
        }
        assertThat(page(filter(null, null, null, false, null, 10)))
                .containsExactly(all.get(4), all.get(2), all.get(3), all.get(0), all.get(1));
        assertThat(page(filter(null, null, null, false, all.get(2), 2))).containsExactly(all.get(3), all.get(0));
        assertThat(page(filter("worker@team", null, null, false, null, 10))).hasSize(4);
        assertThat(page(filter(null, "lead@team", WorkState.PENDING, true, null, 10)))
                .hasSize(5);
        assertThat(page(filter(null, null, WorkState.DONE, false, null, 10))).isEmpty();
        assertThat(page(filter(null, null, null, false, null, 10).inRig("te_m")))
                .containsExactly(all.get(4));
        assertThat(page(filter(null, null, null, false, null, 10).inRig("team")))
                .hasSize(5);
    }

    private Optional<WorkItem> find(String id) throws SQLException {
        return read(connection -> items.find(connection, id));
    }

    private List<WorkTransition> transitions(int after) throws SQLException {
        return read(connection -> items.transitions(connection, "one", after, 10));
    }

    private List<WorkItem> page(WorkFilter filter) throws SQLException {
        return read(connection -> items.page(connection, filter));
    }

    private static WorkFilter filter(
            String destination, String session, WorkState state, boolean open, WorkItem after, int limit) {
        return new WorkFilter(destination, null, session, null, state, null, open, after, limit);
    }

    private void insert(WorkItem item) throws SQLException {
        write(connection -> {
            items.insert(connection, item, creation(item));
            return null;
        });
    }

    private <T> T write(GroupCommit.Work<T> work) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            try {
                T result = work.run(connection);
                connection.commit();
                return result;
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    private <T> T read(GroupCommit.Work<T> work) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            return work.run(connection);
        }
    }

    private static WorkItem item(String id, String destination, Instant at, String body) {
        return new WorkItem(
                id,
                SOURCE.session(),
                destination,
                body,
                WorkPriority.URGENT,
                List.of("a", "b:c"),
                true,
                WorkState.PENDING,
                null,
                null,
                null,
                "earlier",
                at,
                at,
                null,
                1);
    }

    private static WorkTransition creation(WorkItem item) {
        return new WorkTransition(
                item.qitemId(),
                1,
                WorkAction.CREATE,
                null,
                WorkState.PENDING,
                SOURCE,
                null,
                null,
                null,
                item.createdAt());
    }
}
