package org.berth.placement.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;
import static org.berth.placement.store.Attempts.NOW;
import static org.berth.placement.store.Attempts.anAttempt;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.berth.persistence.TestDatabase;
import org.berth.placement.Attempt;
import org.berth.placement.CleanupState;
import org.berth.placement.ExecutionState;
import org.berth.placement.Exit;
import org.berth.placement.ExitSource;
import org.berth.placement.ProcessIdentity;
import org.berth.preparer.PreparerPhase;
import org.berth.preparer.PreparerPlan;
import org.berth.preparer.PreparerState;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the store of preparers' plans promises, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class PreparerStateRepositoryContractTest {
    private static final PreparerPlan TREE = new PreparerPlan(
            "git-worktree", "git-worktree@1", Map.of("path", "/srv/ä \"b\"", "depth", 3L, "created", true));
    private static final PreparerPlan COPY = new PreparerPlan("isolated-copy", "isolated-copy@1", Map.of());

    @Parameter
    TestDatabase database;

    @BeforeEach
    void empty() {
        database.clear();
    }

    @Test
    void plans_are_read_back_whole_and_in_their_order() {
        insert("a");
        List<PreparerState> recorded = record("a", COPY, TREE);

        assertThat(find("a")).isEqualTo(recorded);
        assertThat(recorded)
                .extracting(PreparerState::plan, PreparerState::position, PreparerState::phase, PreparerState::reason)
                .containsExactly(
                        tuple(COPY, 0, PreparerPhase.PLANNED, null), tuple(TREE, 1, PreparerPhase.PLANNED, null));
        assertThat(find("b")).isEmpty();
    }

    @Test
    void a_replay_of_the_same_plans_answers_what_is_recorded() {
        insert("a");
        record("a", TREE, COPY);
        mark("a", 0, PreparerPhase.SET_UP, null, NOW.plusSeconds(1));
        Map<String, Object> otherOrder = new LinkedHashMap<>();
        List.of("path", "depth", "created")
                .forEach(key -> otherOrder.put(key, TREE.state().get(key)));

        List<PreparerState> again = record("a", new PreparerPlan(TREE.preparer(), TREE.binding(), otherOrder), COPY);

        assertThat(again).isEqualTo(find("a"));
        assertThat(again.getFirst().phase()).isEqualTo(PreparerPhase.SET_UP);
    }

    @Test
    void another_binding_state_preparer_or_number_cannot_replace_a_recorded_plan() {
        insert("a");
        List<PreparerState> first = record("a", TREE, COPY);
        List<List<PreparerPlan>> others = List.of(
                List.of(TREE),
                List.of(TREE, COPY, COPY),
                List.of(COPY, TREE),
                List.of(TREE, new PreparerPlan(COPY.preparer(), "isolated-copy@2", COPY.state())),
                List.of(TREE, new PreparerPlan("another", COPY.binding(), COPY.state())),
                List.of(TREE, new PreparerPlan(COPY.preparer(), COPY.binding(), Map.of("a", 1))));
        for (List<PreparerPlan> other : others) {
            assertThatThrownBy(() -> record("a", other.toArray(PreparerPlan[]::new)))
                    .as("%s", other)
                    .isInstanceOfSatisfying(
                            BerthException.class,
                            refusal -> assertThat(refusal.code()).isEqualTo(ProblemCode.CONFLICT));
        }
        assertThat(find("a")).isEqualTo(first);
    }

    @Test
    void a_state_of_64_KiB_is_recorded_and_a_larger_one_refused_with_all_plans() {
        insert("a");
        int frame = "{\"k\":\"\"}".length();
        PreparerPlan full =
                new PreparerPlan("p", "b", Map.of("k", "ä".repeat((PreparerPlan.MAX_STATE_BYTES - frame) / 2)));
        PreparerPlan over =
                new PreparerPlan("p", "b", Map.of("k", "ä".repeat((PreparerPlan.MAX_STATE_BYTES - frame) / 2) + "a"));

        assertThatThrownBy(() -> record("a", COPY, over))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ProblemCode.INVALID));
        assertThat(find("a")).isEmpty();
        record("a", full);
        assertThat(find("a").getFirst().plan()).isEqualTo(full);
    }

    @Test
    void every_phase_follows_only_what_it_may_follow() {
        for (PreparerPhase from : PreparerPhase.values()) {
            for (PreparerPhase to : PreparerPhase.values()) {
                empty();
                insert("a");
                record("a", TREE);
                if (from != PreparerPhase.PLANNED) {
                    assertThat(mark("a", 0, from, null, NOW)).isTrue();
                }
                boolean allowed = to.after().contains(from);
                assertThat(mark("a", 0, to, "because", NOW.plusSeconds(1)))
                        .as("%s to %s", from, to)
                        .isEqualTo(allowed);
                PreparerState state = find("a").getFirst();
                assertThat(state.phase()).isEqualTo(allowed ? to : from);
                assertThat(state.reason()).isEqualTo(allowed ? "because" : null);
                assertThat(state.updatedAt()).isEqualTo(allowed ? NOW.plusSeconds(1) : NOW);
            }
        }
        assertThat(mark("a", 7, PreparerPhase.CLEANED, null, NOW)).isFalse();
    }

    @Test
    void a_reason_is_cut_to_its_column() {
        insert("a");
        record("a", TREE);
        mark("a", 0, PreparerPhase.RETAINED, "x".repeat(1000), NOW);
        assertThat(find("a").getFirst().reason()).hasSize(400).endsWith("…");
    }

    @Test
    void outstanding_are_ended_attempts_the_longest_untouched_first() {
        ended("first", PreparerPhase.FAILED, NOW.minusSeconds(30));
        ended("second", PreparerPhase.PLANNED, NOW);
        ended("third", PreparerPhase.SET_UP, NOW.plusSeconds(30));
        ended("kept", PreparerPhase.RETAINED, NOW);
        ended("gone", PreparerPhase.CLEANED, NOW);
        insert("live");
        record("live", TREE);

        assertThat(outstanding("host-1", 10)).containsExactly("first", "second", "third");
        assertThat(outstanding("host-1", 2)).containsExactly("first", "second");
        assertThat(outstanding("host-2", 10)).isEmpty();
    }

    @Test
    void one_that_cannot_be_settled_now_does_not_keep_the_others_waiting() {
        ended("stuck", PreparerPhase.FAILED, NOW.minusSeconds(30));
        ended("next", PreparerPhase.SET_UP, NOW);
        assertThat(outstanding("host-1", 1)).containsExactly("stuck");

        inTransaction(store -> {
            store.touch("stuck", NOW.plusSeconds(1));
            return null;
        });

        assertThat(outstanding("host-1", 1)).containsExactly("next");
    }

    private void ended(String id, PreparerPhase phase, Instant at) {
        change(insert(anAttempt(id)), CleanupState.PENDING, ExitSource.RUNNER, true);
        inTransaction(store -> store.record(id, List.of(TREE), at));
        if (phase != PreparerPhase.PLANNED) {
            mark(id, 0, phase, null, at);
        }
    }

    private Attempt change(Attempt attempt, CleanupState cleanup, ExitSource source, boolean identity) {
        Attempt changed = attempt.change()
                .executionState(ExecutionState.EXITED)
                .cleanupState(cleanup)
                .exit(new Exit.Unknown("gone"), source)
                .identity(identity ? new ProcessIdentity(9, 9, 9, "boot", null) : null)
                .apply();
        return database.inTransaction(entities -> new AttemptRepository(entities).save(changed, List.of()));
    }

    private Attempt insert(String id) {
        return insert(anAttempt(id));
    }

    private Attempt insert(Attempt attempt) {
        return database.inTransaction(entities -> new AttemptRepository(entities).insert(attempt, List.of()));
    }

    private List<PreparerState> record(String id, PreparerPlan... plans) {
        return inTransaction(store -> store.record(id, List.of(plans), NOW));
    }

    private boolean mark(String id, int position, PreparerPhase phase, String reason, Instant at) {
        return inTransaction(store -> store.mark(id, position, phase, reason, at));
    }

    private List<PreparerState> find(String id) {
        return database.reading(entities -> new PreparerStateRepository(entities).find(id));
    }

    private List<String> outstanding(String host, int bound) {
        return database.reading(entities -> new PreparerStateRepository(entities).outstanding(host, bound));
    }

    private <T> T inTransaction(Function<PreparerStateRepository, T> work) {
        return database.inTransaction(entities -> work.apply(new PreparerStateRepository(entities)));
    }
}
