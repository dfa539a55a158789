package org.berth.placement.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.berth.placement.store.Attempts.NOW;
import static org.berth.placement.store.Attempts.anAttempt;
import static org.berth.placement.store.Attempts.fact;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.berth.persistence.TestDatabase;
import org.berth.placement.Attempt;
import org.berth.placement.CleanupState;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.placement.ExecutionState;
import org.berth.placement.Exit;
import org.berth.placement.ExitSource;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.StopMode;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the store of attempts promises, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class AttemptRepositoryContractTest {
    @Parameter
    TestDatabase database;

    @BeforeEach
    void empty() {
        database.clear();
    }

    @Test
    void an_inserted_attempt_is_read_back_whole_with_its_evidence_from_1() {
        Map<String, Object> detail = Map.of(
                "text",
                "ä\u0000\"",
                "number",
                9_007_199_254_740_993L,
                "flag",
                true,
                "list",
                List.of("a", Map.of("b", 1L)));
        Attempt stored = insert(
                anAttempt("a"),
                Evidence.of(NOW, EvidenceKind.INTENT_RECORDED, detail),
                fact(EvidenceKind.RUNNER_STARTED));

        assertThat(one(store -> store.find("a"))).contains(stored);
        assertThat(stored)
                .usingRecursiveComparison()
                .ignoringFields("evidenceCount")
                .isEqualTo(anAttempt("a"));
        assertThat(stored.evidenceCount()).isEqualTo(2);
        assertThat(many(store -> store.evidence("a", 0, 10)))
                .containsExactly(
                        new Evidence(1, NOW, EvidenceKind.INTENT_RECORDED, detail),
                        new Evidence(2, NOW, EvidenceKind.RUNNER_STARTED, Map.of()));
    }

    @Test
    void what_a_driver_rendered_is_stored_with_the_attempt_and_refused_once_it_was_changed() {
        database.inTransaction(
                entities -> new AttemptRepository(entities).insert(anAttempt("a"), List.of(), "{\"arguments\":[]}"));

        assertThat(delivery("a")).contains("{\"arguments\":[]}");
        assertThat(delivery("b")).isEmpty();

        database.inTransaction(entities -> entities.createNativeQuery(
                        "update attempt_deliveries set delivery_json = '{}' where attempt_id = 'a'")
                .executeUpdate());
        assertThatThrownBy(() -> delivery("a"))
                .isInstanceOfSatisfying(
                        BerthException.class, e -> assertThat(e.code()).isEqualTo(ProblemCode.STORAGE));
    }

    @Test
    void every_changeable_part_is_saved_and_can_be_taken_back_to_nothing() {
        Attempt stored = insert(anAttempt("a", "owner-1", "k", "home-1", NOW));
        ProcessIdentity identity =
                new ProcessIdentity(10, 10, 12345, "boot", new ProcessIdentity.Tree(11, 12346, 12, 12347));
        Attempt changed = stored.change()
                .executionState(ExecutionState.EXITED)
                .cleanupState(CleanupState.UNCERTAIN)
                .runnerId("runner")
                .identity(identity)
                .exit(new Exit.Signalled(9), ExitSource.RUNNER)
                .stopRequested(StopMode.FORCED)
                .attachmentGeneration(4)
                .recordedEvents(7)
                .resources(List.of())
                .updatedAt(NOW.plusSeconds(1))
                .lastSweptAt(NOW.plusSeconds(2))
                .apply();

        Attempt saved = save(changed, fact(EvidenceKind.CHILD_EXITED));

        assertThat(saved)
                .usingRecursiveComparison()
                .ignoringFields("version", "evidenceCount")
                .isEqualTo(changed);
        assertThat(saved.version()).isEqualTo(stored.version() + 1);
        assertThat(one(store -> store.find("a"))).contains(saved);

        Attempt bare = save(saved.change().sessionHolder(null).identity(null).apply());
        assertThat(bare.identity()).isNull();
        assertThat(one(store -> store.holderOf("home-1"))).isEmpty();
        assertThat(one(store -> store.find("a"))).contains(bare);
    }

    @Test
    void each_kind_of_exit_is_read_back_as_it_was() {
        for (Exit exit :
                List.of(new Exit.Exited(0), new Exit.Exited(255), new Exit.Signalled(64), new Exit.Unknown("gone"))) {
            String id = "exit-" + exit.hashCode();
            Attempt stored = insert(anAttempt(id));
            save(stored.change()
                    .executionState(ExecutionState.EXITED)
                    .exit(exit, ExitSource.RECONCILE)
                    .apply());
            assertThat(one(store -> store.find(id)).orElseThrow().exit()).isEqualTo(exit);
        }
    }

    @Test
    void times_keep_their_microseconds_and_lose_what_is_finer() {
        Instant fine = Instant.parse("1999-12-31T23:59:59.999999999Z");
        Attempt stored = insert(anAttempt("a", "owner-1", "k", null, fine));
        assertThat(stored.createdAt()).isEqualTo("1999-12-31T23:59:59.999999Z");
        assertThat(one(store -> store.find("a"))).contains(stored);
    }

    @Test
    void a_taken_attempt_id_is_told_apart_even_when_another_owner_has_it() {
        insert(anAttempt("a", "owner-1", "k1", null, NOW));
        assertThat(takenBy(() -> insert(withKey(anAttempt("a", "owner-2", "k2", null, NOW), "other"))))
                .isEqualTo(AttemptExistsException.Taken.ATTEMPT_ID);
        assertThat(one(store -> store.find("a")).orElseThrow().ownerId()).isEqualTo("owner-1");
    }

    @Test
    void a_repeated_idempotency_key_is_told_apart_and_its_attempt_found() {
        Attempt first = insert(anAttempt("a", "owner-1", "k", null, NOW));
        assertThat(takenBy(() -> insert(anAttempt("b", "owner-1", "k", null, NOW))))
                .isEqualTo(AttemptExistsException.Taken.IDEMPOTENCY_KEY);
        assertThat(one(store -> store.findByIdempotencyKey("owner-1", "k"))).contains(first);
        assertThat(many(store -> store.evidence("b", 0, 10))).isEmpty();
    }

    @Test
    void a_caller_cannot_name_its_attempt_after_a_constraint() {
        insert(anAttempt("attempts_session_holder", "owner-1", "k1", null, NOW));
        assertThat(takenBy(() ->
                        insert(withKey(anAttempt("attempts_session_holder", "owner-1", "k2", null, NOW), "other"))))
                .isEqualTo(AttemptExistsException.Taken.ATTEMPT_ID);
    }

    @Test
    void two_owners_may_use_the_same_idempotency_key() {
        insert(anAttempt("a", "owner-1", "k", null, NOW));
        Attempt second = insert(anAttempt("b", "owner-2", "k", null, NOW));
        assertThat(one(store -> store.findByIdempotencyKey("owner-2", "k"))).contains(second);
    }

    @Test
    void a_taken_attempt_key_is_told_apart() {
        Attempt first = insert(anAttempt("a"));
        assertThat(takenBy(() -> insert(withKey(anAttempt("b"), first.attemptKey()))))
                .isEqualTo(AttemptExistsException.Taken.ATTEMPT_KEY);
    }

    @Test
    void a_session_home_has_one_holder_until_it_is_given_up() {
        Attempt holder = insert(anAttempt("a", "owner-1", "k1", "home-1", NOW));
        assertThatThrownBy(() -> insert(anAttempt("b", "owner-1", "k2", "home-1", NOW)))
                .isInstanceOf(SessionHeldException.class);
        assertThat(one(store -> store.holderOf("home-1"))).contains(holder);

        save(holder.change().sessionHolder(null).apply());
        Attempt next = insert(anAttempt("b", "owner-1", "k2", "home-1", NOW));
        assertThat(one(store -> store.holderOf("home-1"))).contains(next);
        assertThatThrownBy(() -> inTransaction(store -> {
                    Attempt first = store.lock("a").orElseThrow();
                    return store.save(first.change().sessionHolder("home-1").apply(), List.of());
                }))
                .isInstanceOf(SessionHeldException.class);
    }

    @Test
    void of_eight_prepares_at_once_one_gets_the_session_home() throws Exception {
        List<Boolean> won = atOnce(8, i -> {
            try {
                insert(anAttempt("a" + i, "owner-1", "k" + i, "home-1", NOW));
                return true;
            } catch (SessionHeldException e) {
                return false;
            }
        });
        assertThat(won).containsOnlyOnce(true);
        assertThat(counts()).containsEntry(ExecutionState.INTENDED, 1L);
    }

    @Test
    void evidence_has_no_gap_under_eight_writers_at_once() throws Exception {
        insert(anAttempt("a"), fact(EvidenceKind.INTENT_RECORDED));
        int each = 12;
        atOnce(8, writer -> {
            for (int i = 0; i < each; i++) {
                int step = i;
                inTransaction(store -> {
                    Attempt locked = store.lock("a").orElseThrow();
                    return store.save(
                            locked.change()
                                    .recordedEvents(locked.recordedEvents() + 1)
                                    .apply(),
                            List.of(Evidence.of(
                                    NOW, EvidenceKind.RECONCILE_ALIVE, Map.of("writer", (long) writer, "step", (long)
                                            step))));
                });
            }
            return null;
        });

        List<Evidence> all = many(store -> store.evidence("a", 0, 1000));
        assertThat(all)
                .extracting(Evidence::sequence)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 1 + 8 * each).boxed().toList());
        assertThat(all).extracting(Evidence::detail).doesNotHaveDuplicates();
        Attempt last = one(store -> store.find("a")).orElseThrow();
        assertThat(last.evidenceCount()).isEqualTo(1 + 8 * each);
        assertThat(last.recordedEvents()).isEqualTo(8 * each);
    }

    @Test
    void evidence_is_read_in_pieces_after_a_sequence() {
        insert(
                anAttempt("a"),
                fact(EvidenceKind.INTENT_RECORDED),
                fact(EvidenceKind.RUNNER_STARTED),
                fact(EvidenceKind.HOME_CREATED));
        assertThat(many(store -> store.evidence("a", 1, 1)))
                .extracting(Evidence::sequence)
                .containsExactly(2L);
        assertThat(many(store -> store.evidence("a", 3, 10))).isEmpty();
    }

    @Test
    void a_change_of_an_old_snapshot_is_refused_and_leaves_nothing() {
        Attempt old = insert(anAttempt("a"));
        save(old.change().executionState(ExecutionState.STARTING).apply());
        assertThatThrownBy(() -> save(
                        old.change().executionState(ExecutionState.UNCERTAIN).apply(),
                        fact(EvidenceKind.RUNNER_EXITED)))
                .isInstanceOf(AttemptChangedException.class)
                .satisfies(e -> assertThat(StoreFailures.retryable(e)).isTrue());
        assertThat(one(store -> store.find("a")).orElseThrow().executionState()).isEqualTo(ExecutionState.STARTING);
        assertThat(many(store -> store.evidence("a", 0, 10))).isEmpty();
    }

    @Test
    void a_transaction_that_rolls_back_leaves_neither_state_nor_evidence() {
        Attempt stored = insert(anAttempt("a"));
        assertThatThrownBy(() -> inTransaction(store -> {
                    store.save(
                            stored.change()
                                    .executionState(ExecutionState.STARTING)
                                    .apply(),
                            List.of(fact(EvidenceKind.RUNNER_STARTED)));
                    throw new IllegalStateException("roll back");
                }))
                .hasMessage("roll back");
        assertThat(one(store -> store.find("a"))).contains(stored);
        assertThat(many(store -> store.evidence("a", 0, 10))).isEmpty();
    }

    @Test
    void a_lock_sees_what_was_committed_after_an_earlier_read_of_the_same_transaction() {
        Attempt old = insert(anAttempt("a"));
        Attempt locked = inTransaction(store -> {
            store.find("a");
            save(old.change().executionState(ExecutionState.STARTING).apply());
            return store.lockByKey(old.attemptKey()).orElseThrow();
        });
        assertThat(locked.executionState()).isEqualTo(ExecutionState.STARTING);
    }

    @Test
    void saving_twice_in_one_transaction_goes_on_from_the_first_result() {
        insert(anAttempt("a"));
        inTransaction(store -> {
            Attempt locked = store.lock("a").orElseThrow();
            Attempt once = store.save(
                    locked.change().executionState(ExecutionState.STARTING).apply(),
                    List.of(fact(EvidenceKind.RUNNER_STARTED)));
            assertThat(store.find("a")).contains(once);
            return store.save(
                    once.change().executionState(ExecutionState.UNCERTAIN).apply(),
                    List.of(fact(EvidenceKind.RUNNER_EXITED)));
        });
        assertThat(many(store -> store.evidence("a", 0, 10)))
                .extracting(Evidence::kind)
                .containsExactly(EvidenceKind.RUNNER_STARTED, EvidenceKind.RUNNER_EXITED);
    }

    @Test
    void an_attempt_that_is_not_there_is_not_found() {
        assertThat(one(store -> store.find("none"))).isEmpty();
        inTransaction(store -> assertThat(store.lock("none")).isEmpty());
        inTransaction(store -> assertThat(store.lockByKey("none")).isEmpty());
        assertThatThrownBy(() -> save(anAttempt("none"))).isInstanceOf(BerthException.class);
    }

    @Test
    void a_snapshot_has_no_tie_to_the_store() {
        insert(anAttempt("a"));
        Attempt kept = inTransaction(store -> {
            Attempt locked = store.lock("a").orElseThrow();
            locked.change().executionState(ExecutionState.UNCERTAIN).apply();
            return locked;
        });
        assertThat(one(store -> store.find("a"))).contains(kept);
        assertThat(kept.executionState()).isEqualTo(ExecutionState.INTENDED);
    }

    @Test
    void pages_are_newest_first_and_stay_whole_while_attempts_are_added() {
        for (int i = 0; i < 10; i++) {
            // Pairs of the same instant: the id parts them.
            insert(anAttempt("a" + i, "owner-1", "k" + i, null, NOW.plusSeconds(i / 2)));
        }
        List<String> seen = new ArrayList<>();
        String after = null;
        while (true) {
            AttemptFilter filter = new AttemptFilter(null, "owner-1", after, 3);
            List<Attempt> page = many(store -> store.page(filter));
            if (page.isEmpty()) {
                break;
            }
            page.forEach(each -> seen.add(each.attemptId()));
            after = page.getLast().attemptId();
            insert(anAttempt("new" + seen.size(), "owner-1", "n" + seen.size(), null, NOW.plusSeconds(100)));
        }
        assertThat(seen).containsExactly("a8", "a9", "a6", "a7", "a4", "a5", "a2", "a3", "a0", "a1");
    }

    @Test
    void a_page_holds_only_what_its_filter_names() {
        insert(anAttempt("a", "owner-1", "k1", null, NOW));
        Attempt starting = insert(anAttempt("b", "owner-1", "k2", null, NOW));
        insert(anAttempt("c", "owner-2", "k1", null, NOW));
        Attempt saved =
                save(starting.change().executionState(ExecutionState.STARTING).apply());

        assertThat(many(store -> store.page(new AttemptFilter(ExecutionState.STARTING, null, null, 10))))
                .containsExactly(saved);
        assertThat(many(store -> store.page(new AttemptFilter(null, "owner-2", null, 10))))
                .extracting(Attempt::attemptId)
                .containsExactly("c");
        assertThat(many(store -> store.page(new AttemptFilter(null, null, null, 10))))
                .hasSize(3);
        assertThatThrownBy(() -> many(store -> store.page(new AttemptFilter(null, "owner-2", "a", 10))))
                .isInstanceOf(BerthException.class)
                .hasMessageContaining("after");
    }

    @Test
    void a_sweep_takes_live_attempts_of_its_host_that_waited_longest() {
        for (String id : List.of("a", "b", "c", "d")) {
            save(insert(anAttempt(id))
                    .change()
                    .executionState(ExecutionState.RUNNING)
                    .apply());
        }
        insert(anAttempt("intended"));
        exited("exited", CleanupState.PENDING);
        inTransaction(store -> {
            store.markSwept(List.of("a", "b"), NOW.plusSeconds(5));
            store.markSwept(List.of("c"), NOW);
            store.markSwept(List.of(), NOW);
            return null;
        });

        assertThat(ids(many(store -> store.oldestSwept("host-1", 10)))).containsExactly("d", "c", "a", "b");
        assertThat(ids(many(store -> store.oldestSwept("host-1", 2)))).containsExactly("d", "c");
        assertThat(many(store -> store.oldestSwept("host-2", 10))).isEmpty();
    }

    @Test
    void a_sweep_neither_refuses_a_running_change_nor_is_undone_by_it() {
        Attempt before = insert(anAttempt("a"));
        inTransaction(store -> {
            store.markSwept(List.of("a"), NOW.plusSeconds(9));
            return null;
        });
        Attempt saved =
                save(before.change().executionState(ExecutionState.STARTING).apply());
        assertThat(saved.lastSweptAt()).isEqualTo(NOW.plusSeconds(9));
    }

    @Test
    void unfinished_are_those_not_exited_or_not_cleaned() {
        insert(anAttempt("intended"));
        exited("pending", CleanupState.PENDING);
        exited("uncertain", CleanupState.UNCERTAIN);
        exited("complete", CleanupState.COMPLETE);

        assertThat(ids(many(store -> store.unfinished("host-1"))))
                .containsExactlyInAnyOrder("intended", "pending", "uncertain");
        assertThat(many(store -> store.keysOf("host-1")))
                .containsExactly(
                        "attempt-key-complete", "attempt-key-intended", "attempt-key-pending", "attempt-key-uncertain");
        assertThat(many(store -> store.keysOf("host-1", CleanupState.COMPLETE)))
                .containsExactly("attempt-key-complete");
        assertThat(counts())
                .containsEntry(ExecutionState.INTENDED, 1L)
                .containsEntry(ExecutionState.EXITED, 3L)
                .containsEntry(ExecutionState.RUNNING, 0L);
    }

    @Test
    void the_exited_attempts_of_an_action_are_the_newest_first() {
        Attempt first = exited("first", CleanupState.PENDING);
        exited("second", CleanupState.COMPLETE);
        insert(anAttempt("third"));

        assertThat(ids(many(store -> store.exited(first.hostId(), first.ownerId(), first.actionId(), 9))))
                .containsExactly("second", "first");
        assertThat(ids(many(store -> store.exited(first.hostId(), first.ownerId(), first.actionId(), 1))))
                .containsExactly("second");
        assertThat(many(store -> store.exited("other", first.ownerId(), first.actionId(), 9)))
                .isEmpty();
        assertThat(many(store -> store.exited(first.hostId(), "other", first.actionId(), 9)))
                .isEmpty();
        assertThat(many(store -> store.exited(first.hostId(), first.ownerId(), "other", 9)))
                .isEmpty();
    }

    private Attempt exited(String id, CleanupState cleanup) {
        return save(insert(anAttempt(id))
                .change()
                .executionState(ExecutionState.EXITED)
                .cleanupState(cleanup)
                .exit(new Exit.Exited(0), ExitSource.RUNNER)
                .apply());
    }

    private static List<String> ids(List<Attempt> attempts) {
        return attempts.stream().map(Attempt::attemptId).toList();
    }

    private static AttemptExistsException.Taken takenBy(Runnable insert) {
        return catchThrowableOfType(AttemptExistsException.class, insert::run).taken();
    }

    private static Attempt withKey(Attempt a, String key) {
        return new Attempt(
                a.attemptId(),
                a.actionId(),
                a.ownerId(),
                a.ownerIncarnation(),
                a.idempotencyKey(),
                a.requestDigest(),
                a.requestJson(),
                key,
                a.nonce(),
                a.hostId(),
                a.policyRef(),
                a.executablePath(),
                a.sessionRef(),
                a.sessionKey(),
                a.sessionHolder(),
                a.resources(),
                a.executionState(),
                a.cleanupState(),
                a.capability(),
                a.requiredCleanup(),
                a.exitObservation(),
                a.runnerId(),
                a.identity(),
                a.exit(),
                a.exitSource(),
                a.stopRequested(),
                a.attachmentGeneration(),
                a.recordedEvents(),
                a.evidenceCount(),
                a.createdAt(),
                a.updatedAt(),
                a.lastSweptAt(),
                a.version());
    }

    private Attempt insert(Attempt attempt, Evidence... evidence) {
        return inTransaction(store -> store.insert(attempt, List.of(evidence)));
    }

    private Attempt save(Attempt attempt, Evidence... evidence) {
        return inTransaction(store -> store.save(attempt, List.of(evidence)));
    }

    private <T> T inTransaction(Function<AttemptRepository, T> work) {
        return database.inTransaction(entities -> work.apply(new AttemptRepository(entities)));
    }

    private Optional<Attempt> one(Function<AttemptRepository, Optional<Attempt>> work) {
        return database.reading(entities -> work.apply(new AttemptRepository(entities)));
    }

    private Optional<String> delivery(String attemptId) {
        return database.reading(entities -> new AttemptRepository(entities).delivery(attemptId));
    }

    private <T> List<T> many(Function<AttemptRepository, List<T>> work) {
        return database.reading(entities -> work.apply(new AttemptRepository(entities)));
    }

    private Map<ExecutionState, Long> counts() {
        return database.reading(entities -> new AttemptRepository(entities).counts());
    }

    private interface Step<T> {
        T run(int number) throws Exception;
    }

    private static <T> List<T> atOnce(int threads, Step<T> step) throws Exception {
        CountDownLatch ready = new CountDownLatch(threads);
        try (var executor = Executors.newFixedThreadPool(threads)) {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                Callable<T> task = () -> {
                    ready.countDown();
                    ready.await();
                    return step.run(number);
                };
                running.add(executor.submit(task));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> each : running) {
                results.add(each.get());
            }
            return results;
        }
    }
}
