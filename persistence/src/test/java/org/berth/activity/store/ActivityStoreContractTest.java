package org.berth.activity.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.persistence.PersistenceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.berth.activity.ActivityEvent;
import org.berth.activity.ActivityGrant;
import org.berth.activity.ActivityState;
import org.berth.activity.SecretToken;
import org.berth.activity.WorkGrant;
import org.berth.persistence.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the stores of grants and hook posts promise, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class ActivityStoreContractTest {
    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MICROS);

    @Parameter
    TestDatabase database;

    @BeforeEach
    void empty() {
        database.clear();
    }

    @Test
    void one_activity_grant_of_a_node_holds_and_an_ended_one_stays_readable() {
        ActivityGrant first = activity(grants -> grants.insert(grant("a1", "node-1")));
        assertThatThrownBy(() -> activity(grants -> grants.insert(grant("a2", "node-1"))))
                .isInstanceOf(PersistenceException.class);
        assertThat(this.<Boolean>activity(grants -> grants.revokeHolder("node-1", NOW, ActivityGrant.REISSUED)))
                .isTrue();
        activity(grants -> grants.insert(grant("a2", "node-1")));

        ActivityGrant ended =
                activity(grants -> grants.findByHash(first.tokenHash())).orElseThrow();
        assertThat(ended.holds()).isFalse();
        assertThat(ended.revokedReason()).isEqualTo("reissued");
        assertThat(ended.revokedAt()).isEqualTo(NOW);
        assertThat(this.<List<ActivityGrant>>activity(grants -> grants.list(null, false)))
                .extracting(ActivityGrant::grantId)
                .containsExactly("a2");
        assertThat(this.<List<ActivityGrant>>activity(grants -> grants.list("node-1", true)))
                .hasSize(2);
        assertThat(this.<List<ActivityGrant>>activity(grants -> grants.list("node-2", true)))
                .isEmpty();
    }

    @Test
    void a_revoked_grant_keeps_its_first_reason() {
        activity(grants -> grants.insert(grant("a1", "node-1")));
        assertThat(this.<Boolean>activity(grants -> grants.revoke("a1", NOW, "lost")))
                .isTrue();
        assertThat(this.<Boolean>activity(grants -> grants.revoke("a1", NOW.plusSeconds(1), "again")))
                .isFalse();
        assertThat(this.<Optional<ActivityGrant>>activity(grants -> grants.find("a1"))
                        .orElseThrow()
                        .revokedReason())
                .isEqualTo("lost");
        assertThat(this.<Boolean>activity(grants -> grants.revoke("none", NOW, "lost")))
                .isFalse();
    }

    @Test
    void a_lock_reads_the_whole_grant() throws SQLException {
        ActivityGrant grant = activity(grants -> grants.insert(grant("a1", "node-1")));
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(new ActivityGrantRepository().lockByHash(connection, grant.tokenHash()))
                    .contains(grant);
            assertThat(new ActivityGrantRepository().lockByHash(connection, "0".repeat(64)))
                    .isEmpty();
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    @Test
    void one_work_grant_of_a_name_holds() {
        WorkGrant first = work(grants -> grants.insert(work("w1", "environment-one", NOW)));
        assertThatThrownBy(() -> work(grants -> grants.insert(work("w2", "environment-one", NOW))))
                .isInstanceOf(PersistenceException.class);
        assertThat(this.<Optional<WorkGrant>>work(grants -> grants.findByHash(first.tokenHash())))
                .contains(first);
        assertThat(this.<Boolean>work(grants -> grants.revoke("environment-one", NOW, "gone")))
                .isTrue();
        assertThat(this.<Boolean>work(grants -> grants.revoke("environment-one", NOW, "gone")))
                .isFalse();
        assertThat(this.<Optional<WorkGrant>>work(grants -> grants.find("environment-one"))
                        .orElseThrow()
                        .holds())
                .isFalse();
        WorkGrant second = work(grants -> grants.insert(work("w2", "environment-one", NOW.minusSeconds(5))));
        assertThat(this.<Optional<WorkGrant>>work(grants -> grants.find("environment-one")))
                .contains(second);
        assertThat(this.<List<WorkGrant>>work(grants -> grants.list(null, false)))
                .containsExactly(second);
        assertThat(this.<List<WorkGrant>>work(grants -> grants.list("worker@team", true)))
                .hasSize(2);
        assertThat(this.<List<WorkGrant>>work(grants -> grants.list("other@team", true)))
                .isEmpty();
    }

    @Test
    void the_latest_deciding_post_of_the_generation_counts() throws SQLException {
        append(
                event("node-1", "gen-1", ActivityState.RUNNING, NOW.minusSeconds(9)),
                event("node-1", "gen-1", ActivityState.IDLE, NOW.minusSeconds(5)),
                event("node-1", "gen-1", ActivityState.NEEDS_INPUT, NOW.minusSeconds(7)),
                event("node-1", "gen-1", null, NOW),
                event("node-1", "gen-0", ActivityState.RUNNING, NOW),
                event("node-2", null, ActivityState.RUNNING, NOW));
        assertThat(last("node-1", "gen-1")).contains(ActivityState.IDLE);
        assertThat(last("node-1", "gen-2")).isEmpty();
        assertThat(last("node-1", null)).isEmpty();
        assertThat(last("node-2", null)).contains(ActivityState.RUNNING);
    }

    @Test
    void posts_are_listed_in_order_and_the_oldest_go_first() throws SQLException {
        ActivityEvent whole = event("node-1", "gen-1", ActivityState.RUNNING, NOW);
        append(whole, event("node-2", "gen-1", null, NOW), event("node-1", null, ActivityState.IDLE, NOW));
        List<ActivityEvent> all = events(null, 0, 10);
        assertThat(all).hasSize(3).isSortedAccordingTo((a, b) -> Long.compare(a.eventId(), b.eventId()));
        assertThat(all.getFirst())
                .usingRecursiveComparison()
                .ignoringFields("eventId")
                .isEqualTo(whole);
        assertThat(events("node-1", 0, 10)).hasSize(2);
        assertThat(events(null, all.getFirst().eventId(), 1)).containsExactly(all.get(1));

        int removed = database.inTransaction(entities -> new ActivityEventRepository(entities).trim(2));
        assertThat(removed).isEqualTo(1);
        assertThat(events(null, 0, 10)).containsExactly(all.get(1), all.get(2));
    }

    private Optional<ActivityState> last(String nodeId, String generation) {
        Optional<ActivityEvent> found =
                database.reading(entities -> new ActivityEventRepository(entities).lastDeciding(nodeId, generation));
        return found.map(ActivityEvent::state);
    }

    private List<ActivityEvent> events(String nodeId, long after, int limit) {
        return database.reading(entities -> new ActivityEventRepository(entities).list(nodeId, after, limit));
    }

    private void append(ActivityEvent... events) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            for (ActivityEvent event : events) {
                new ActivityEventRepository().append(connection, event);
            }
        }
    }

    private <T> T activity(Function<ActivityGrantRepository, T> work) {
        return database.inTransaction(entities -> work.apply(new ActivityGrantRepository(entities)));
    }

    private <T> T work(Function<WorkGrantRepository, T> work) {
        return database.inTransaction(entities -> work.apply(new WorkGrantRepository(entities)));
    }

    private static ActivityGrant grant(String id, String nodeId) {
        return new ActivityGrant(id, hash(id), nodeId, "gen-1", "owner", NOW, null, null);
    }

    private static WorkGrant work(String id, String name, Instant issuedAt) {
        return new WorkGrant(
                id, name, hash(id), "worker@team", List.of("team", "other"), "owner", issuedAt, null, null);
    }

    private static String hash(String id) {
        return SecretToken.hash(id);
    }

    private static ActivityEvent event(String nodeId, String generation, ActivityState state, Instant occurredAt) {
        return new ActivityEvent(
                0, nodeId, "worker@team", generation, "synth", "Stop", null, "s-1", state, occurredAt, NOW, "a1");
    }
}
