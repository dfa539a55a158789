package org.berth.environment.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.environment.CompletionRequest;
import org.berth.environment.CompletionRules;
import org.berth.environment.CompletionSelection;
import org.berth.environment.Completions.Outcome;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.json.JsonText;
import org.berth.json.StrictJson;
import org.berth.persistence.TestDatabase;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.work.WorkSelection;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The reference's "finite completion is selected work plus a verified actual export", on the services. */
class FiniteCompletionTest {
    private static final String NATIVE = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
    private static final String GENERATION = "generation-one";
    private static final String REPORT = "actual report bytes";
    private static final String STOP = CompletionRules.stopOperationId("completion-one");

    @TempDir
    Path directory;

    private EnvironmentFixture f;
    private MemoryWork work;

    @BeforeEach
    void launched() {
        f = new EnvironmentFixture(TestDatabase.H2, directory);
        work = (MemoryWork) f.work;
        assertThat(f.create().status()).isEqualTo(201);
        f.launched(NATIVE, GENERATION);
        task("pending", null);
    }

    private void task(String state, String reason) {
        work.items.put(
                "task-one",
                new WorkSelection(
                        "task-one",
                        EnvironmentFixture.COORDINATOR.session(),
                        EnvironmentFixture.WORKER.session(),
                        state,
                        reason));
    }

    private void done() {
        task("done", "no-follow-on");
    }

    private CompletionSelection select(String effect) {
        return select(new CompletionRequest("completion-one", GENERATION, "task-one", "export-one", effect));
    }

    private CompletionSelection select(CompletionRequest request) {
        return f.completions.select("binding-one", request, EnvironmentFixture.COORDINATOR);
    }

    /** The exported file, with its receipt in the journal. */
    private Path publish(String taskId) {
        Path path = f.root.resolve("exports").resolve("verified-report.json");
        EnvironmentFixture.write(path, REPORT);
        Map<String, Object> receipt = new LinkedHashMap<>();
        receipt.put("bindingId", "binding-one");
        receipt.put("generation", GENERATION);
        receipt.put("taskId", taskId);
        receipt.put("path", path.toString());
        receipt.put("bytes", (long) REPORT.length());
        receipt.put("sha256", EnvironmentFixture.hash(REPORT));
        f.confirmed("export-one", OperationKind.EXPORT, JsonText.write(receipt));
        return path;
    }

    private void reproject(String generation) {
        f.journal.step(store -> {
            var record = store.lock("binding-one").orElseThrow();
            store.save(record.projected(List.of(), generation));
            return null;
        });
    }

    private Map<String, Object> attempt() {
        String receipt = f.operation("completion-one").receipt();
        return receipt == null ? null : StrictJson.object(receipt);
    }

    @Test
    void does_not_stop_on_an_unsettled_queue_or_a_pending_export() {
        select("stop-native");
        assertThat(f.completions.check()).isEqualTo(new Outcome(1, 0, 0));
        done();
        assertThat(f.completions.check()).isEqualTo(new Outcome(1, 0, 0));
        assertThat(attempt()).as("only an eligible attempt is stamped").isNull();
        publish("task-one");
        assertThat(f.completions.check()).isEqualTo(new Outcome(1, 1, 1));
        assertThat(f.driver.stops).hasValue(1);
        assertThat(f.completions.check()).isEqualTo(new Outcome(0, 0, 0));
        assertThat(f.driver.stops).hasValue(1);
        assertThat(f.operation(STOP).state()).isEqualTo(OperationState.CONFIRMED);
        assertThat(attempt())
                .containsEntry("state", "confirmed")
                .containsEntry("operationId", STOP)
                .containsEntry("effect", "stop-native")
                .containsEntry("taskId", "task-one")
                .containsEntry("exportOperationId", "export-one")
                .containsEntry("lastAttemptAt", f.clock.instant().toEpochMilli());
    }

    @Test
    void another_seats_note_does_not_undo_a_settled_selected_task() {
        select("stop-native");
        done();
        work.note("task-one", EnvironmentFixture.WORKER, "Result noted");
        publish("task-one");
        f.completions.check();
        assertThat(f.driver.stops).hasValue(1);
    }

    @ParameterizedTest
    @CsvSource({"failed,", "done, handed_off_to", "done,", "canceled, canceled", "in-progress,"})
    void work_that_did_not_end_well_triggers_nothing(String state, String reason) {
        select("stop-native");
        publish("task-one");
        task(state, reason);
        f.completions.check();
        assertThat(f.driver.stops).hasValue(0);
        assertThat(attempt()).isNull();
    }

    @Test
    void another_tasks_export_triggers_nothing() {
        select("stop-native");
        done();
        publish("task-two");
        f.completions.check();
        assertThat(f.driver.stops).hasValue(0);
        assertThat(f.completions.standing("binding-one", select("stop-native")))
                .containsEntry("waitingFor", "export-missing");
    }

    @Test
    void preserves_execution_when_the_returned_artifact_changed_after_its_receipt() throws Exception {
        select("stop-native");
        Path home = publish("task-one");
        done();
        EnvironmentFixture.write(home, "changed host artifact");
        f.completions.check();
        assertThat(f.driver.stops).hasValue(0);
        java.nio.file.Files.delete(home);
        f.completions.check();
        Path elsewhere = f.root.resolve("elsewhere.json");
        EnvironmentFixture.write(elsewhere, REPORT);
        java.nio.file.Files.createSymbolicLink(home, elsewhere);
        f.completions.check();
        assertThat(f.driver.stops).as("a link to the same bytes").hasValue(0);
        assertThat(f.completions.standing("binding-one", select("stop-native")))
                .containsEntry("waitingFor", "export-changed");
    }

    @Test
    void does_not_stop_a_successor_generation_for_an_old_tasks_successful_close() {
        CompletionSelection selected = select("stop-native");
        publish("task-one");
        done();
        reproject("generation-two");
        f.completions.check();
        assertThat(f.driver.stops).hasValue(0);
        assertThat(f.completions.standing("binding-one", selected)).containsEntry("waitingFor", "binding-changed");
    }

    @ParameterizedTest
    @CsvSource({
        "stop-native, task",
        "stop-native, artifact",
        "stop-native, generation",
        "stop-compute, task",
        "stop-compute, artifact",
        "stop-compute, generation"
    })
    void rechecks_after_an_awaited_provider_observation(String effect, String change) {
        select(effect);
        Path home = publish("task-one");
        done();
        Runnable changed = () -> {
            switch (change) {
                case "task" -> task("in-progress", null);
                case "artifact" -> EnvironmentFixture.write(home, "changed while observing the provider");
                default -> reproject("generation-two");
            }
        };
        AtomicInteger observed = new AtomicInteger();
        Runnable once = () -> {
            if (observed.getAndIncrement() == 0) {
                changed.run();
            }
        };
        if (effect.equals("stop-native")) {
            f.driver.beforeIdentity = once;
        } else {
            f.driver.beforeGate = once;
        }
        f.completions.check();
        assertThat(observed).hasPositiveValue();
        assertThat(f.driver.stops).hasValue(0);
        assertThat(f.operation(STOP).state()).isEqualTo(OperationState.INTENT);
        assertThat(attempt()).containsEntry("state", "pending");
    }

    @Test
    void bounds_pending_observations_and_retains_an_inspectable_last_attempt() {
        AtomicInteger observations = new AtomicInteger();
        f.driver.beforeIdentity = observations::incrementAndGet;
        f.driver.ignoreTerm = true;
        select("stop-native");
        publish("task-one");
        done();
        f.completions.check();
        int first = observations.get();
        assertThat(f.driver.stops).hasValue(1);
        for (int event = 0; event < 5; event++) {
            f.clock.forward(Duration.ofSeconds(11));
            f.completions.check();
        }
        assertThat(observations).hasValue(first);
        assertThat(f.operation("completion-one").state()).isEqualTo(OperationState.REQUESTED);
        assertThat(attempt())
                .containsEntry("state", "pending")
                .containsEntry(
                        "lastAttemptAt", f.clock.instant().minusSeconds(55).toEpochMilli());
        f.clock.forward(Duration.ofSeconds(6));
        f.completions.check();
        assertThat(observations.get()).isGreaterThan(first);
        assertThat(f.driver.stops).as("one TERM for ever").hasValue(1);
        f.driver.running = false;
        f.clock.forward(Duration.ofMinutes(1));
        assertThat(f.completions.check()).isEqualTo(new Outcome(1, 1, 1));
        assertThat(f.driver.stops).hasValue(1);
    }

    @Test
    void a_lost_acknowledgement_is_observed_and_never_sent_again() {
        f.driver.loseStop = true;
        select("stop-compute");
        publish("task-one");
        done();
        assertThat(f.completions.check()).isEqualTo(new Outcome(1, 1, 1));
        assertThat(f.driver.stops).hasValue(1);
    }

    @Test
    void a_refused_stop_stays_inspectable_with_its_code() {
        select("stop-native");
        publish("task-one");
        done();
        f.driver.nativeId = "11111111-bbbb-4ccc-8ddd-eeeeeeeeeeee";
        assertThat(f.completions.check()).isEqualTo(new Outcome(1, 1, 0));
        assertThat(f.driver.stops).hasValue(0);
        assertThat(attempt()).containsEntry("state", "unconfirmed").containsEntry("code", "environment_native_changed");
        assertThat(f.completions.standing("binding-one", select("stop-native")))
                .containsEntry("state", "pending")
                .containsEntry("lastAttempt", attempt());
    }

    @Test
    void checks_at_the_same_time_observe_once() throws Exception {
        select("stop-native");
        publish("task-one");
        done();
        CountDownLatch observing = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger observations = new AtomicInteger();
        f.driver.beforeIdentity = () -> {
            if (observations.getAndIncrement() == 0) {
                observing.countDown();
                await(go);
            }
        };
        CompletableFuture<Outcome> first = CompletableFuture.supplyAsync(f.completions::check);
        await(observing);
        assertThat(f.completions.check()).isEqualTo(new Outcome(1, 0, 0));
        assertThat(observations).hasValue(1);
        go.countDown();
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(new Outcome(1, 1, 1));
        assertThat(f.driver.stops).hasValue(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void the_same_selection_again_is_the_same_and_another_is_refused() {
        CompletionSelection first = select("stop-native");
        assertThat(select("stop-native")).isEqualTo(first);
        assertThat(f.operations())
                .filteredOn(each -> each.kind() == OperationKind.COMPLETION)
                .hasSize(1);
        assertThat(catchThrowableOfType(BerthException.class, () -> select("stop-compute"))
                        .code())
                .isEqualTo(ProblemCode.ENVIRONMENT_OPERATION_CHANGED);
        assertThat(f.completions.standing("binding-one", first))
                .containsEntry("state", "pending")
                .containsEntry("waitingFor", "task-not-done")
                .doesNotContainKey("lastAttempt");
    }

    @ParameterizedTest
    @ValueSource(strings = {"task-one", "nobody-knows-it"})
    void work_of_another_seat_is_not_selected(String task) {
        work.items.put("task-one", new WorkSelection("task-one", "a@b", "other@environment-fixture", "pending", null));
        assertThat(catchThrowableOfType(
                                BerthException.class,
                                () -> select(new CompletionRequest(
                                        "completion-one", GENERATION, task, "export-one", "stop-native")))
                        .code())
                .isEqualTo(ProblemCode.ENVIRONMENT_TASK_CHANGED);
        assertThat(f.operations()).noneMatch(each -> each.kind() == OperationKind.COMPLETION);
    }

    @Test
    void a_check_with_nothing_selected_costs_one_query() {
        Statistics statistics = TestDatabase.H2.reading(entities ->
                entities.getEntityManagerFactory().unwrap(SessionFactory.class).getStatistics());
        statistics.setStatisticsEnabled(true);
        try {
            statistics.clear();
            assertThat(f.completions.check()).isEqualTo(new Outcome(0, 0, 0));
            assertThat(statistics.getPrepareStatementCount()).isEqualTo(1);
            statistics.clear();
            assertThat(f.completions.anyOpen()).isFalse();
            assertThat(statistics.getPrepareStatementCount()).isEqualTo(1);
        } finally {
            statistics.setStatisticsEnabled(false);
        }
    }
}
