package org.berth.environment.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import org.berth.environment.BindingRecord;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentConfig;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.Ownership;
import org.berth.persistence.TestDatabase;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the removal of operations promises, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class ExpiredOperationsContractTest {
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00.123456Z");
    private static final BindingRecord BINDING = new BindingRecord(
            new EnvironmentBinding(
                    new EnvironmentConfig(
                            "b1",
                            "node-1",
                            "worker@team",
                            null,
                            null,
                            "claude-code",
                            "/sandbox/openrig",
                            "http://h:1",
                            new EnvironmentPlacement("local", "w", "n", "i", "p", "/p", null)),
                    Ownership.OWNED,
                    null,
                    null),
            "incarnation-1",
            "host-1",
            true,
            null,
            NOW);

    @Parameter
    TestDatabase database;

    @BeforeEach
    void bound() {
        database.clear();
        database.inTransaction(entities -> {
            new EnvironmentRepository(entities).insert(BINDING);
            return null;
        });
    }

    private void journal(String id, OperationKind kind, OperationState state, Instant at) {
        database.inTransaction(entities -> {
            new EnvironmentRepository(entities)
                    .append(
                            BINDING,
                            new EnvironmentOperation(id, "b1", kind, "{}", null, state, null, "a@b", null, at));
            return null;
        });
    }

    private <T> T expired(Function<ExpiredOperations, T> work) {
        return database.inTransaction(entities -> work.apply(new ExpiredOperations(entities)));
    }

    private static List<String> ids(List<ExpiredOperations.Over> page) {
        return page.stream().map(each -> each.operation().operationId()).toList();
    }

    @Test
    void what_is_over_is_paged_in_the_order_of_its_last_change() {
        journal("o3", OperationKind.EFFECT, OperationState.CONFIRMED, NOW.minusSeconds(10));
        journal("o1", OperationKind.EXPORT, OperationState.REFUSED, NOW.minusSeconds(30));
        journal("o2", OperationKind.EFFECT, OperationState.CONFIRMED, NOW.minusSeconds(10));
        journal("open", OperationKind.EFFECT, OperationState.REQUESTED, NOW.minusSeconds(60));
        journal("late", OperationKind.EFFECT, OperationState.CONFIRMED, NOW);
        List<ExpiredOperations.Over> first = expired(store -> store.page(NOW, null, 2));
        assertThat(ids(first)).containsExactly("o1", "o2");
        assertThat(first).allMatch(each -> each.incarnation().equals("incarnation-1"));
        assertThat(first.getFirst().changedAt()).isEqualTo(NOW.minusSeconds(30).truncatedTo(ChronoUnit.MICROS));
        List<ExpiredOperations.Over> next = expired(store -> store.page(NOW, first.getLast(), 2));
        assertThat(ids(next)).containsExactly("o3");
        assertThat(ids(expired(store -> store.page(NOW, next.getLast(), 2)))).isEmpty();
    }

    @Test
    void what_is_open_and_what_is_confirmed_of_a_kind_are_told_apart() {
        journal("intent", OperationKind.COMPLETION, OperationState.INTENT, NOW);
        journal("requested", OperationKind.EFFECT, OperationState.REQUESTED, NOW);
        journal("confirmed", OperationKind.CHECKPOINT, OperationState.CONFIRMED, NOW);
        journal("refused", OperationKind.CHECKPOINT, OperationState.REFUSED, NOW);
        assertThat(this.<List<EnvironmentOperation>>expired(ExpiredOperations::open))
                .extracting(EnvironmentOperation::operationId)
                .containsExactlyInAnyOrder("intent", "requested");
        assertThat(this.<List<EnvironmentOperation>>expired(store -> store.confirmed(OperationKind.CHECKPOINT)))
                .extracting(EnvironmentOperation::operationId)
                .containsExactly("confirmed");
    }

    @Test
    void a_removed_operations_id_stays_used_and_an_open_one_is_not_removed() {
        journal("over", OperationKind.EFFECT, OperationState.CONFIRMED, NOW);
        journal("open", OperationKind.EFFECT, OperationState.REQUESTED, NOW);
        assertThat(this.<Integer>expired(store -> store.remove(List.of("over", "open", "nobody"), NOW)))
                .isEqualTo(1);
        assertThat(this.<Integer>expired(store -> store.remove(List.of(), NOW))).isZero();
        assertThat(database.<List<EnvironmentOperation>>reading(
                        entities -> new EnvironmentRepository(entities).journal(BINDING)))
                .extracting(EnvironmentOperation::operationId)
                .containsExactly("open");
        BerthException refusal = catchThrowableOfType(
                BerthException.class, () -> journal("over", OperationKind.EXPORT, OperationState.INTENT, NOW));
        assertThat(refusal.code()).isEqualTo(ProblemCode.ENVIRONMENT_OPERATION_CHANGED);
        journal("fresh", OperationKind.EXPORT, OperationState.INTENT, NOW);
        assertThat(this.<Integer>expired(store -> store.remove(List.of("over"), NOW)))
                .as("again")
                .isZero();
    }
}
