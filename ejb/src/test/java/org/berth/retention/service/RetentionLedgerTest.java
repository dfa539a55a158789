package org.berth.retention.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.berth.environment.BindingRecord;
import org.berth.environment.CompletionRules;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentConfig;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.Ownership;
import org.berth.environment.store.EnvironmentRepository;
import org.berth.environment.store.ExpiredOperations;
import org.berth.environment.store.ExpiredOperations.Over;
import org.berth.persistence.TestDatabase;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.retention.RetentionReferences;
import org.berth.rig.Rig;
import org.berth.rig.RigSnapshot;
import org.berth.rig.store.RigRepository;
import org.berth.rig.store.SnapshotRepository;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a removal leaves of a journal; its statements are those of the store's contract tests. */
class RetentionLedgerTest {
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
    private static final Instant OLD = NOW.minus(Duration.ofDays(100));
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
                    new EnvironmentResource("r1", "n", "w", "Ready", null, "env-1"),
                    "g2"),
            "incarnation-1",
            "host-1",
            true,
            List.of(),
            OLD);

    private final TestDatabase database = TestDatabase.H2;
    private final List<RetentionReferences> references = new ArrayList<>();

    @BeforeEach
    void aBindingWithAHistory() {
        database.clear();
        store(store -> store.insert(BINDING));
        journal("create", OperationKind.CREATE, OperationState.CONFIRMED, "{}", "{}", OLD);
        journal("launch-g2", OperationKind.LAUNCH, OperationState.CONFIRMED, "{}", "{}", OLD);
        journal("export-old", OperationKind.EXPORT, OperationState.CONFIRMED, "{}", receipt("g1", "/a/old"), OLD);
        journal("export-held", OperationKind.EXPORT, OperationState.CONFIRMED, "{}", receipt("g1", "/a/held"), OLD);
        journal("export-now", OperationKind.EXPORT, OperationState.CONFIRMED, "{}", receipt("g2", "/a/now"), OLD);
        journal("effect", OperationKind.EFFECT, OperationState.CONFIRMED, "{}", "{}", OLD);
        journal("effect-open", OperationKind.EFFECT, OperationState.REQUESTED, "{}", null, OLD);
        journal("effect-late", OperationKind.EFFECT, OperationState.CONFIRMED, "{}", "{}", NOW);
        journal(
                "completion",
                OperationKind.COMPLETION,
                OperationState.REQUESTED,
                "{\"exportOperationId\":\"export-held\"}",
                null,
                OLD);
        journal(
                CompletionRules.stopOperationId("completion"),
                OperationKind.EFFECT,
                OperationState.CONFIRMED,
                "{}",
                "{}",
                OLD);
        journal("completion-over", OperationKind.COMPLETION, OperationState.CONFIRMED, "{}", "{}", OLD);
    }

    private static String receipt(String generation, String path) {
        return "{\"generation\":\"" + generation + "\",\"path\":\"" + path + "\"}";
    }

    private void journal(
            String id, OperationKind kind, OperationState state, String request, String receipt, Instant at) {
        store(store -> store.append(
                BINDING, new EnvironmentOperation(id, "b1", kind, request, null, state, receipt, "a@b", null, at)));
    }

    private void store(Consumer<EnvironmentRepository> step) {
        database.inTransaction(entities -> {
            step.accept(new EnvironmentRepository(entities));
            return null;
        });
    }

    /** Batches of two until the end, as the service makes them. @return how many went */
    private int remove() {
        int removed = 0;
        Over after = null;
        do {
            Over from = after;
            RetentionLedger.Batch batch = database.inTransaction(entities -> new RetentionLedger(
                            new ExpiredOperations(entities), new EnvironmentRepository(entities), references)
                    .removeOperations(NOW.minus(Duration.ofDays(90)), from, 2, NOW));
            removed += batch.removed();
            after = batch.last();
        } while (after != null);
        return removed;
    }

    private List<String> left() {
        return database
                .<List<EnvironmentOperation>>reading(entities -> new EnvironmentRepository(entities).journal(BINDING))
                .stream()
                .map(EnvironmentOperation::operationId)
                .toList();
    }

    @Test
    void what_nothing_refers_to_goes_and_its_id_stays_used() {
        assertThat(remove()).isEqualTo(3);
        assertThat(left())
                .containsExactly(
                        "create",
                        "launch-g2",
                        "export-held",
                        "export-now",
                        "effect-open",
                        "effect-late",
                        "completion",
                        CompletionRules.stopOperationId("completion"));
        assertThat(remove()).as("again").isZero();
        BerthException refusal = catchThrowableOfType(
                BerthException.class,
                () -> journal("export-old", OperationKind.EXPORT, OperationState.INTENT, "{}", null, NOW));
        assertThat(refusal.code()).isEqualTo(ProblemCode.ENVIRONMENT_OPERATION_CHANGED);
    }

    @Test
    void a_snapshot_keeps_the_computes_of_a_binding_that_was_given_up_and_its_checkpoint() {
        database.inTransaction(entities -> {
            new RigRepository(entities)
                    .insert(new Rig("rig-1", "team", "/srv/team", "{}", "a".repeat(64), "owner", OLD), List.of());
            new SnapshotRepository(entities)
                    .insert(
                            new RigSnapshot(
                                    "s1",
                                    "rig-1",
                                    "team",
                                    RigSnapshot.MANUAL,
                                    "{\"environmentBindingsByNode\":{\"node-1\":"
                                            + "{\"bindingId\":\"b1\",\"checkpointId\":\"effect\"}}}",
                                    "a@b",
                                    OLD),
                            Set.of());
            return null;
        });
        references.add(holds -> database.reading(entities -> {
            new SnapshotReferences(new SnapshotRepository(entities)).addTo(holds);
            return null;
        }));
        store(store -> store.delete("b1"));
        remove();
        assertThat(left()).contains("create", "launch-g2", "effect").doesNotContain("export-old");
    }

    @Test
    void a_feature_that_refers_to_an_operation_or_a_file_keeps_it() {
        references.add(holds -> holds.operation("effect"));
        references.add(holds -> holds.file("/a/old"));
        assertThat(remove()).isEqualTo(1);
        assertThat(left()).contains("effect", "export-old").doesNotContain("completion-over");
    }

    @Test
    void a_binding_that_was_given_up_leaves_what_is_open_and_what_is_referred_to() {
        store(store -> store.delete("b1"));
        references.add(holds -> holds.binding("b1"));
        remove();
        assertThat(left()).contains("create", "launch-g2").doesNotContain("export-now");
        references.clear();
        remove();
        assertThat(left())
                .containsExactly(
                        "export-held",
                        "effect-open",
                        "effect-late",
                        "completion",
                        CompletionRules.stopOperationId("completion"));
    }
}
