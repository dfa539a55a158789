package org.berth.placement.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.persistence.PersistenceException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.container.ContainerRecord;
import org.berth.container.ContainerRecord.Phase;
import org.berth.container.ContainerState;
import org.berth.persistence.TestDatabase;
import org.berth.placement.Attempt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the store of containers promises, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class ContainerRepositoryContractTest {
    private static final Map<String, String> LABELS = Map.of("org.berth.owner", "päul \"quoted\"");

    @Parameter
    TestDatabase database;

    private Attempt attempt;

    @BeforeEach
    void anAttempt() {
        database.clear();
        attempt = database.inTransaction(
                entities -> new AttemptRepository(entities).insert(Attempts.anAttempt("a"), List.of()));
    }

    private ContainerRecord intent() {
        return new ContainerRecord(
                "a",
                attempt.attemptKey(),
                "host-1",
                "/run/engine.sock",
                "berth-a",
                null,
                null,
                LABELS,
                Phase.INTENDED,
                false,
                false,
                Attempts.NOW,
                null);
    }

    private ContainerRecord save(ContainerRecord record) {
        return database.inTransaction(entities -> new ContainerRepository(entities).save(record));
    }

    private List<ContainerRecord> live(String host) {
        return database.reading(entities -> new ContainerRepository(entities).live(host));
    }

    @Test
    void every_phase_is_read_back_whole() {
        Instant started = Instant.parse("2026-03-01T10:00:01.123456789Z");
        ContainerState seen =
                new ContainerState("c".repeat(64), "d".repeat(64), "berth-a", LABELS, "running", 0, false, started);
        for (ContainerRecord record :
                List.of(intent(), intent().created(seen), intent().created(seen).killed())) {
            assertThat(save(record)).isEqualTo(record);
            assertThat(live("host-1")).containsExactly(record);
            Optional<ContainerRecord> found = database.reading(entities -> new ContainerRepository(entities).find("a"));
            assertThat(found).contains(record);
        }
        assertThat(intent().created(seen).isSame(seen)).isTrue();
    }

    @Test
    void a_removed_one_and_those_of_another_host_are_not_live() {
        save(intent());
        assertThat(live("host-2")).isEmpty();
        save(intent().removed());
        assertThat(live("host-1")).isEmpty();
    }

    @Test
    void a_container_belongs_to_an_attempt_and_goes_with_it() {
        ContainerRecord stray = new ContainerRecord(
                "b", "k", "host-1", "e", "n", null, null, LABELS, Phase.INTENDED, false, false, Attempts.NOW, null);
        assertThatThrownBy(() -> save(stray)).isInstanceOf(PersistenceException.class);
        save(intent());
        database.inTransaction(
                entities -> entities.createNativeQuery("delete from attempts").executeUpdate());
        assertThat(live("host-1")).isEmpty();
    }
}
