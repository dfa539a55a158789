package org.berth.rig.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.berth.persistence.TestDatabase;
import org.berth.problem.BerthException;
import org.berth.rig.Rig;
import org.berth.rig.RigSnapshot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the store of snapshots promises, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class SnapshotRepositoryContractTest {
    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MICROS);
    private static final String LARGE = "{\"x\":\"" + "x".repeat(3_000_000) + "\"}";

    @Parameter
    TestDatabase database;

    @BeforeEach
    void oneRig() {
        database.clear();
        database.inTransaction(entities -> {
            new RigRepository(entities)
                    .insert(new Rig("rig-1", "team", "/srv/team", "{}", "a".repeat(64), "owner", NOW), List.of());
            return null;
        });
    }

    @Test
    void a_snapshot_is_read_back_whole() {
        RigSnapshot snapshot = insert("s1", 0, LARGE);
        assertThat(this.<RigSnapshot>read(store -> store.find("s1").orElseThrow()))
                .isEqualTo(snapshot);
        assertThat(this.<Boolean>read(store -> store.find("s2").isPresent())).isFalse();
    }

    @Test
    void pages_are_newest_first_and_neither_repeat_nor_hide_one() {
        insert("s1", 0, "{}");
        insert("s3", 1, "{}");
        insert("s2", 1, "{}");
        assertThat(ids(null, 2)).containsExactly("s2", "s3");
        assertThat(ids("s3", 2)).containsExactly("s1");
        assertThatThrownBy(() -> ids("none", 2)).isInstanceOf(BerthException.class);
    }

    @Test
    void the_snapshots_that_refer_to_a_checkpoint_are_found_until_they_are_removed() {
        insert("s1", 0, "{}", "checkpoint-1", "checkpoint-2");
        insert("s2", 1, "{}", "checkpoint-1");
        assertThat(this.<List<String>>read(store -> store.referring("checkpoint-1")))
                .containsExactly("s1", "s2");
        assertThat(this.<List<String>>read(store -> store.referring("checkpoint-2")))
                .containsExactly("s1");
        assertThat(this.<Boolean>write(store -> store.delete("s1"))).isTrue();
        assertThat(this.<Boolean>write(store -> store.delete("s1"))).isFalse();
        assertThat(this.<List<String>>read(store -> store.referring("checkpoint-1")))
                .containsExactly("s2");
    }

    @Test
    void snapshots_go_with_their_rig() {
        insert("s1", 0, "{}", "checkpoint-1");
        database.inTransaction(entities -> new RigRepository(entities).delete("rig-1"));
        assertThat(ids(null, 9)).isEmpty();
        assertThat(this.<List<String>>read(store -> store.referring("checkpoint-1")))
                .isEmpty();
    }

    private RigSnapshot insert(String id, int second, String data, String... checkpoints) {
        RigSnapshot snapshot = new RigSnapshot(
                id, "rig-1", "team", RigSnapshot.MANUAL, data, "operator@team", NOW.plusSeconds(second));
        write(store -> {
            store.insert(snapshot, Set.of(checkpoints));
            return null;
        });
        return snapshot;
    }

    private List<String> ids(String after, int limit) {
        return read(store -> store.page("rig-1", after, limit).stream()
                .map(RigSnapshot::snapshotId)
                .toList());
    }

    private <T> T read(Function<SnapshotRepository, T> query) {
        return database.reading(entities -> query.apply(new SnapshotRepository(entities)));
    }

    private <T> T write(Function<SnapshotRepository, T> change) {
        return database.inTransaction(entities -> change.apply(new SnapshotRepository(entities)));
    }
}
