package org.berth.placement.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.placement.store.Attempts.NOW;
import static org.berth.placement.store.Attempts.anAttempt;
import static org.berth.placement.store.Attempts.fact;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.berth.persistence.TestDatabase;
import org.berth.placement.Attempt;
import org.berth.placement.CleanupState;
import org.berth.placement.EvidenceKind;
import org.berth.placement.ExecutionState;
import org.berth.placement.Exit;
import org.berth.placement.ExitSource;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourceGrant;
import org.berth.placement.ResourcePurpose;
import org.berth.preparer.PreparerPhase;
import org.berth.preparer.PreparerPlan;
import org.berth.preparer.PreparerState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the removal of old attempts promises, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class ExpiredAttemptsContractTest {
    private static final Instant LATER = NOW.plusSeconds(100);

    @Parameter
    TestDatabase database;

    @BeforeEach
    void empty() {
        database.clear();
    }

    @Test
    void an_attempt_that_ended_and_was_cleaned_before_the_time_goes_with_its_evidence() {
        over("old", NOW);
        over("new", LATER);

        assertThat(find(NOW.plusSeconds(1), 10)).containsExactly("old");
        assertThat(remove(List.of("old", "new"), NOW.plusSeconds(1))).isEqualTo(1);
        assertThat(left("old")).isFalse();
        assertThat(evidence("old")).isZero();
        assertThat(left("new")).isTrue();
        assertThat(evidence("new")).isEqualTo(2);
        assertThat(remove(List.of("old"), LATER)).isZero();
    }

    @Test
    void a_plan_that_is_settled_goes_with_its_attempt_as_does_what_a_driver_rendered() {
        over("old", NOW);
        plan("old", PreparerPhase.RETAINED);
        database.inTransaction(entities -> entities.createNativeQuery(
                        "insert into attempt_deliveries (attempt_id, delivery_json, digest) values ('old', '{}', 'd')")
                .executeUpdate());

        assertThat(remove(List.of("old"), LATER)).isEqualTo(1);
        assertThat(database.<List<PreparerState>>reading(entities -> new PreparerStateRepository(entities).find("old")))
                .isEmpty();
        assertThat(database.<Long>reading(entities ->
                        (Long) entities.createNativeQuery("select count(*) from attempt_deliveries", Long.class)
                                .getSingleResult()))
                .isZero();
    }

    @Test
    void an_attempt_whose_plan_waits_for_its_cleanup_stays() {
        for (PreparerPhase phase : PreparerPhase.outstanding()) {
            String id = phase.name();
            over(id, NOW);
            plan(id, phase);
            assertThat(find(LATER, 10)).isEmpty();
            assertThat(remove(List.of(id), LATER)).isZero();
            assertThat(left(id)).isTrue();
        }
    }

    @Test
    void what_is_not_over_stays() {
        insert(anAttempt("intended"));
        change("uncertain", ExecutionState.UNCERTAIN, CleanupState.PENDING, NOW);
        change("running", ExecutionState.RUNNING, CleanupState.PENDING, NOW);
        change("uncleaned", ExecutionState.EXITED, CleanupState.PENDING, NOW);
        change("half", ExecutionState.EXITED, CleanupState.UNCERTAIN, NOW);
        List<String> all = List.of("intended", "uncertain", "running", "uncleaned", "half");

        assertThat(find(LATER, 10)).isEmpty();
        assertThat(remove(all, LATER)).isZero();
        assertThat(all).allMatch(this::left);
    }

    @Test
    void the_holder_of_a_session_home_and_what_a_grant_in_force_names_stay() {
        Attempt holder = insert(anAttempt("holder", "owner-1", "k", "home-1", NOW));
        save(holder, ExecutionState.EXITED, CleanupState.COMPLETE, NOW);
        over("granted", NOW);
        grant("granted", null);
        over("of-an-ended-grant", NOW);
        grant("of-an-ended-grant", NOW.plusSeconds(10));

        assertThat(find(LATER, 10)).containsExactly("of-an-ended-grant");
        assertThat(remove(List.of("holder", "granted"), LATER)).isZero();
    }

    @Test
    void another_host_s_attempts_stay() {
        over("a", NOW);
        assertThat(database.<Integer>inTransaction(
                        entities -> new ExpiredAttempts(entities).remove("host-2", List.of("a"), LATER, LATER)))
                .isZero();
        assertThat(left("a")).isTrue();
    }

    @Test
    void no_more_than_the_bound_is_found_and_the_oldest_first() {
        over("third", NOW.plusSeconds(3));
        over("first", NOW.plusSeconds(1));
        over("second", NOW.plusSeconds(2));
        assertThat(find(LATER, 2)).containsExactly("first", "second");
    }

    private List<String> find(Instant before, int bound) {
        return database.reading(entities -> new ExpiredAttempts(entities).find("host-1", before, LATER, bound)).stream()
                .map(Attempt::attemptId)
                .toList();
    }

    private int remove(List<String> ids, Instant before) {
        return database.inTransaction(entities -> new ExpiredAttempts(entities).remove("host-1", ids, before, LATER));
    }

    private void over(String id, Instant at) {
        change(id, ExecutionState.EXITED, CleanupState.COMPLETE, at);
    }

    private void change(String id, ExecutionState execution, CleanupState cleanup, Instant at) {
        save(insert(anAttempt(id)), execution, cleanup, at);
    }

    private Attempt insert(Attempt attempt) {
        return database.inTransaction(entities ->
                new AttemptRepository(entities).insert(attempt, List.of(fact(EvidenceKind.INTENT_RECORDED))));
    }

    private void save(Attempt attempt, ExecutionState execution, CleanupState cleanup, Instant at) {
        boolean exited = execution == ExecutionState.EXITED;
        Attempt changed = attempt.change()
                .executionState(execution)
                .cleanupState(cleanup)
                .exit(exited ? new Exit.Exited(0) : null, exited ? ExitSource.RUNNER : null)
                .updatedAt(at)
                .apply();
        database.inTransaction(
                entities -> new AttemptRepository(entities).save(changed, List.of(fact(EvidenceKind.CHILD_EXITED))));
    }

    private void plan(String attemptId, PreparerPhase phase) {
        database.inTransaction(entities -> {
            PreparerStateRepository store = new PreparerStateRepository(entities);
            store.record(attemptId, List.of(new PreparerPlan("p", "p@1", Map.of())), NOW);
            return phase == PreparerPhase.PLANNED || store.mark(attemptId, 0, phase, null, NOW);
        });
    }

    private void grant(String attemptId, Instant expiresAt) {
        ResourceGrant grant = new ResourceGrant(
                "grant-of-" + attemptId,
                "owner-1",
                "/srv",
                "",
                ResourceAccess.READ,
                ResourcePurpose.PROJECT,
                attemptId,
                "owner-1",
                NOW,
                expiresAt,
                null);
        database.inTransaction(entities -> new ResourceGrantRepository(entities).insert(grant));
    }

    private boolean left(String id) {
        return database.reading(entities -> new AttemptRepository(entities).find(id))
                .isPresent();
    }

    private int evidence(String id) {
        return database.reading(entities -> new AttemptRepository(entities).evidence(id, 0, 10))
                .size();
    }
}
