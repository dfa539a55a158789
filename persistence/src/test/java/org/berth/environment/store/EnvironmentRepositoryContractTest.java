package org.berth.environment.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.persistence.PersistenceException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.berth.environment.BindingRecord;
import org.berth.environment.DriverKind;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentConfig;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.Ownership;
import org.berth.environment.ProjectionReceipt;
import org.berth.persistence.TestDatabase;
import org.berth.placement.store.StoreFailures;
import org.berth.problem.BerthException;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the store of bindings and their journal promises, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class EnvironmentRepositoryContractTest {
    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MICROS);
    private static final String LARGE = "x".repeat(3_000_000);

    @Parameter
    TestDatabase database;

    @BeforeEach
    void empty() {
        database.clear();
    }

    @Test
    void a_binding_is_read_back_whole() {
        BindingRecord record = binding("b1", "w@team", "node-1", "worker", 0)
                .with(new EnvironmentBinding(
                        config("b1", "w@team", "node-1", "worker"),
                        Ownership.ATTACHED,
                        new EnvironmentResource("r1", "worker", "team", "Ready", "f1", "env-1"),
                        null))
                .projected(
                        List.of(
                                new ProjectionReceipt("a", "a".repeat(64), 7, true, "/srv/a", "b".repeat(64)),
                                new ProjectionReceipt("b", "c".repeat(64), 0, false, null, null)),
                        "g1");
        insert(record);
        assertThat(find("b1")).isEqualTo(record);
        assertThat(find("b2")).isNull();
    }

    @Test
    void a_binding_changes_by_saving_and_leaves_nothing_when_removed() {
        BindingRecord record = binding("b1", "w@team", null, "worker", 0);
        insert(record);
        BindingRecord bound = record.with(new EnvironmentBinding(
                config("b1", "w@team", "node-1", "worker"),
                Ownership.OWNED,
                new EnvironmentResource("r1", "worker", "team", "Ready", null, "env-1"),
                null));
        change(store -> {
            store.save(bound.projected(List.of(), "g1"));
            return null;
        });
        assertThat(find("b1")).isEqualTo(bound.projected(List.of(), "g1"));
        change(store -> {
            store.delete("b1");
            return null;
        });
        assertThat(find("b1")).isNull();
    }

    @Test
    void seat_node_and_held_name_are_each_one_bindings_own() {
        insert(binding("b1", "w@team", "node-1", "worker", 0));
        taken(binding("b1", "x@team", "node-2", "other", 0));
        taken(binding("b2", "w@team", "node-2", "other", 0));
        taken(binding("b2", "x@team", "node-1", "other", 0));
        taken(binding("b2", "x@team", "node-2", "worker", 0));
        insert(binding("b2", "x@team", null, "other", 0));
        insert(binding("b3", "y@team", null, "third", 0));
    }

    @Test
    void a_released_name_may_be_held_again_and_again_released() {
        BindingRecord first = binding("b1", "w@team", "node-1", "worker", 0);
        insert(first);
        assertThat(holds(store -> store.nameHeld("b2", "host-1", first.binding().placement())))
                .isTrue();
        assertThat(holds(store -> store.nameHeld("b1", "host-1", first.binding().placement())))
                .isFalse();
        assertThat(holds(store -> store.nameHeld("b2", "host-2", first.binding().placement())))
                .isFalse();
        change(store -> {
            store.save(first.released());
            return null;
        });
        BindingRecord second = binding("b2", "x@team", "node-2", "worker", 0);
        insert(second);
        change(store -> {
            store.save(second.released());
            return null;
        });
        assertThat(find("b1").holdsName()).isFalse();
        assertThat(find("b2").holdsName()).isFalse();
    }

    @Test
    void a_node_finds_its_binding_and_that_of_its_seat_while_no_node_claimed_it() {
        insert(binding("b1", "w@team", null, "worker", 0));
        insert(binding("b2", "x@team", "node-2", "other", 0));
        assertThat(found(store -> store.forNode("node-1", "w@team")))
                .get()
                .extracting(BindingRecord::bindingId)
                .isEqualTo("b1");
        assertThat(found(store -> store.forNode("node-2", "z@team")))
                .get()
                .extracting(BindingRecord::bindingId)
                .isEqualTo("b2");
        assertThat(found(store -> store.forNode("node-3", "x@team"))).isEmpty();
        assertThat(holds(store -> store.seatBound("b9", "w@team", null))).isTrue();
        assertThat(holds(store -> store.seatBound("b9", "z@team", "node-2"))).isTrue();
        assertThat(holds(store -> store.seatBound("b9", "z@team", null))).isFalse();
        assertThat(holds(store -> store.seatBound("b2", "x@team", "node-2"))).isFalse();
    }

    @Test
    void operations_keep_the_order_of_their_intents_and_their_bindings() {
        BindingRecord first = binding("b1", "w@team", "node-1", "worker", 0);
        BindingRecord second = binding("b2", "x@team", "node-2", "other", 0);
        insert(first);
        insert(second);
        EnvironmentOperation create = operation("o2", "b1", OperationKind.CREATE, "env-2");
        EnvironmentOperation export = operation("o1", "b1", OperationKind.EXPORT, "env-1");
        append(first, create);
        append(second, operation("o3", "b2", OperationKind.CREATE, "env-3"));
        append(first, export);
        assertThat(listed(store -> store.journal(first))).containsExactly(create, export);
        assertThat(listed(store -> store.journal(first, OperationKind.EXPORT))).containsExactly(export);
        assertThat(found(store -> store.operation("o1"))).contains(export);
        assertThat(found(store -> store.incarnationOf("o1"))).contains(first.incarnation());
        assertThat(listed(store -> store.pending("host-1", OperationKind.CREATE, OperationState.INTENT)))
                .extracting(EnvironmentOperation::operationId)
                .containsExactlyInAnyOrder("o2", "o3");
        assertThat(listed(store -> store.pending("host-2", OperationKind.CREATE, OperationState.INTENT)))
                .isEmpty();
        change(store -> {
            store.forget(first);
            return null;
        });
        assertThat(found(store -> store.operation("o1"))).isEmpty();
        assertThat(found(store -> store.operation("o3"))).isPresent();
    }

    @Test
    void an_operation_id_is_used_once_over_all_bindings() {
        BindingRecord first = binding("b1", "w@team", "node-1", "worker", 0);
        BindingRecord second = binding("b2", "x@team", "node-2", "other", 0);
        insert(first);
        insert(second);
        append(first, operation("o1", "b1", OperationKind.CREATE, "env-1"));
        assertThatThrownBy(() -> append(second, operation("o1", "b2", OperationKind.CREATE, "env-2")))
                .isInstanceOf(PersistenceException.class)
                .satisfies(failure -> assertThat(StoreFailures.taken(failure)).isTrue());
    }

    @Test
    void one_of_many_claims_an_intent() {
        append(inserted(), operation("o1", "b1", OperationKind.CREATE, "env-1"));
        List<CompletableFuture<Boolean>> claims = IntStream.range(0, 8)
                .mapToObj(_ -> CompletableFuture.supplyAsync(
                        () -> change(store -> store.move("o1", OperationState.INTENT, OperationState.REQUESTED))))
                .toList();
        assertThat(claims.stream().map(CompletableFuture::join)).containsOnlyOnce(true);
    }

    @Test
    void a_confirmed_receipt_stays_and_ends_the_operation() {
        append(inserted(), operation("o1", "b1", OperationKind.EXPORT, "env-1"));
        String first = "{\"text\":\"" + LARGE + "\"}";
        assertThat(changed(store -> store.confirm("o1", first))).isTrue();
        assertThat(changed(store -> store.confirm("o1", "{}"))).isFalse();
        assertThat(changed(store -> store.move("o1", OperationState.INTENT, OperationState.REQUESTED)))
                .isFalse();
        assertThat(changed(store -> store.refuse("o1", "environment_not_ready")))
                .isFalse();
        assertThat(changed(store -> store.revise("o1", "{}"))).isFalse();
        EnvironmentOperation stored = read(store -> store.operation("o1")).orElseThrow();
        assertThat(stored.state()).isEqualTo(OperationState.CONFIRMED);
        assertThat(stored.receipt()).isEqualTo(first);
    }

    @Test
    void an_intent_is_revised_claimed_released_noted_and_refused() {
        append(inserted(), operation("o1", "b1", OperationKind.LAUNCH, null));
        assertThat(changed(store -> store.revise("o1", "{\"grant\":1}"))).isTrue();
        assertThat(changed(store -> store.move("o1", OperationState.INTENT, OperationState.REQUESTED)))
                .isTrue();
        assertThat(changed(store -> store.revise("o1", "{}"))).isFalse();
        assertThat(changed(store -> store.note("o1", OperationState.REQUESTED, "{\"tries\":1}")))
                .isTrue();
        assertThat(changed(store -> store.move("o1", OperationState.REQUESTED, OperationState.INTENT)))
                .isTrue();
        assertThat(changed(store -> store.refuse("o1", "environment_not_ready")))
                .isTrue();
        EnvironmentOperation stored = read(store -> store.operation("o1")).orElseThrow();
        assertThat(stored)
                .extracting(
                        EnvironmentOperation::request,
                        EnvironmentOperation::state,
                        EnvironmentOperation::receipt,
                        EnvironmentOperation::refusal)
                .containsExactly("{\"grant\":1}", OperationState.REFUSED, "{\"tries\":1}", "environment_not_ready");
    }

    @Test
    void a_locked_binding_waits_for_the_other_transaction() throws Exception {
        BindingRecord record = inserted();
        CountDownLatch locked = new CountDownLatch(1);
        CompletableFuture<Void> holder = CompletableFuture.runAsync(() -> change(store -> {
            store.lock("b1");
            locked.countDown();
            store.save(record.projected(List.of(), "g1"));
            return null;
        }));
        assertThat(locked.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(change(store -> store.lock("b1")).orElseThrow().binding().generation())
                .isEqualTo("g1");
        holder.get(20, TimeUnit.SECONDS);
    }

    @Test
    void a_page_is_newest_first_filtered_and_goes_on_behind_its_cursor() {
        insert(binding("b1", "a@team", "n1", "one", 1));
        insert(binding("b2", "b@team", "n2", "two", 2));
        insert(binding("b3", "c@other", "n3", "three", 3));
        change(store -> {
            BindingRecord record = store.find("b2").orElseThrow();
            store.save(record.with(record.binding()
                    .withResource(new EnvironmentResource("r2", "two", "team", "Stopped", null, null))));
            return null;
        });
        assertThat(page(new BindingFilter(null, null, null, null, null, 10))).containsExactly("b3", "b2", "b1");
        assertThat(page(new BindingFilter(null, null, null, null, null, 2))).containsExactly("b3", "b2");
        assertThat(page(new BindingFilter(null, null, null, null, "b2", 2))).containsExactly("b1");
        assertThat(page(new BindingFilter("team", null, null, null, null, 10))).containsExactly("b2", "b1");
        assertThat(page(new BindingFilter(null, "c@other", null, null, null, 10)))
                .containsExactly("b3");
        assertThat(page(new BindingFilter(null, null, DriverKind.LOCAL, null, null, 10)))
                .hasSize(3);
        assertThat(page(new BindingFilter(null, null, DriverKind.PODMAN, null, null, 10)))
                .isEmpty();
        assertThat(page(new BindingFilter(null, null, null, "Stopped", null, 10)))
                .containsExactly("b2");
        assertThatThrownBy(() -> page(new BindingFilter(null, null, null, null, "none", 10)))
                .isInstanceOf(BerthException.class);
    }

    private BindingRecord inserted() {
        BindingRecord record = binding("b1", "w@team", "node-1", "worker", 0);
        insert(record);
        return record;
    }

    private static EnvironmentConfig config(String id, String seat, String nodeId, String name) {
        return new EnvironmentConfig(
                id,
                nodeId,
                seat,
                null,
                "/srv/artifacts",
                "claude-code",
                "/sandbox/openrig",
                "http://host.test:7782",
                new EnvironmentPlacement(
                        "local",
                        "team",
                        name,
                        "/opt/agent@sha256:" + "a".repeat(64),
                        "claude",
                        "/srv/policy.yaml",
                        "d".repeat(64)));
    }

    @Test
    void an_attempt_begins_once_for_the_receipt_that_was_seen() {
        BindingRecord record = binding("b1", "w@team", "node-1", "worker", 0);
        insert(record);
        append(record, operation("o1", "b1", OperationKind.COMPLETION, null));
        assertThat(changed(store -> store.attempt("o1", "{}", "{\"n\":0}"))).isFalse();
        assertThat(changed(store -> store.attempt("o1", null, "{\"n\":1}"))).isTrue();
        assertThat(changed(store -> store.attempt("o1", null, "{\"n\":2}"))).isFalse();
        assertThat(changed(store -> store.attempt("o1", "{\"n\":1}", "{\"n\":2}")))
                .isTrue();
        assertThat(found(store -> store.operation("o1")))
                .get()
                .returns(OperationState.REQUESTED, EnvironmentOperation::state)
                .returns("{\"n\":2}", EnvironmentOperation::receipt);
        assertThat(changed(store -> store.confirm("o1", "{\"n\":3}"))).isTrue();
        assertThat(changed(store -> store.attempt("o1", "{\"n\":3}", "{\"n\":4}")))
                .isFalse();
    }

    @Test
    void looking_for_open_completions_is_one_statement_when_there_is_none() {
        Statistics statistics = database.reading(entities ->
                entities.getEntityManagerFactory().unwrap(SessionFactory.class).getStatistics());
        statistics.setStatisticsEnabled(true);
        try {
            statistics.clear();
            assertThat(listed(store -> store.pending(
                            "host-1", OperationKind.COMPLETION, OperationState.INTENT, OperationState.REQUESTED)))
                    .isEmpty();
            assertThat(statistics.getPrepareStatementCount()).isEqualTo(1);
        } finally {
            statistics.setStatisticsEnabled(false);
        }
    }

    private static BindingRecord binding(String id, String seat, String nodeId, String name, int age) {
        return new BindingRecord(
                new EnvironmentBinding(config(id, seat, nodeId, name), Ownership.OWNED, null, null),
                "incarnation-" + id,
                "host-1",
                true,
                null,
                NOW.plusSeconds(age));
    }

    private static EnvironmentOperation operation(String id, String bindingId, OperationKind kind, String effectId) {
        return new EnvironmentOperation(
                id, bindingId, kind, "{\"a\":1}", effectId, OperationState.INTENT, null, "c@team", null, NOW);
    }

    private void insert(BindingRecord record) {
        change(store -> {
            store.insert(record);
            return null;
        });
    }

    private void taken(BindingRecord record) {
        assertThatThrownBy(() -> insert(record))
                .isInstanceOf(PersistenceException.class)
                .satisfies(failure -> assertThat(StoreFailures.taken(failure)).isTrue());
    }

    private void append(BindingRecord record, EnvironmentOperation operation) {
        change(store -> {
            store.append(record, operation);
            return null;
        });
    }

    private BindingRecord find(String bindingId) {
        return read(store -> store.find(bindingId)).orElse(null);
    }

    private List<String> page(BindingFilter filter) {
        return read(store -> store.page(filter)).stream()
                .map(BindingRecord::bindingId)
                .toList();
    }

    private boolean holds(Function<EnvironmentRepository, Boolean> query) {
        return read(query);
    }

    private boolean changed(Function<EnvironmentRepository, Boolean> step) {
        return change(step);
    }

    private <T> Optional<T> found(Function<EnvironmentRepository, Optional<T>> query) {
        return read(query);
    }

    private <T> List<T> listed(Function<EnvironmentRepository, List<T>> query) {
        return read(query);
    }

    private <T> T change(Function<EnvironmentRepository, T> step) {
        return database.inTransaction(entities -> step.apply(new EnvironmentRepository(entities)));
    }

    private <T> T read(Function<EnvironmentRepository, T> query) {
        return database.reading(entities -> query.apply(new EnvironmentRepository(entities)));
    }
}
