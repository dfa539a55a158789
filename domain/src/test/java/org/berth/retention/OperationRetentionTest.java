package org.berth.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.berth.environment.CompletionRules;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentCheckpoint;
import org.berth.environment.EnvironmentConfig;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.Ownership;

class OperationRetentionTest {
    private static final Instant BEFORE = Instant.parse("2026-05-01T00:00:00Z");
    private static final Instant OLD = BEFORE.minusSeconds(1);
    private static final RetentionHolds NOTHING = new RetentionHolds(Set.of(), Set.of(), Set.of());
    private static final Set<OperationKind> OF_THE_COMPUTE = Set.of(
            OperationKind.CREATE,
            OperationKind.ATTACH,
            OperationKind.LAUNCH,
            OperationKind.CLEANUP_INVENTORY,
            OperationKind.RECREATE,
            OperationKind.CHECKPOINT,
            OperationKind.CHECKPOINT_SELECTION);

    private static EnvironmentOperation operation(OperationKind kind, OperationState state) {
        return new EnvironmentOperation("op-1", "binding-1", kind, "{}", null, state, "{}", "a@b", null, OLD);
    }

    private static EnvironmentBinding binding(String generation) {
        return new EnvironmentBinding(
                new EnvironmentConfig(
                        "binding-1",
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
                generation);
    }

    private static OperationRetention.Candidate candidate(
            OperationKind kind, OperationState state, EnvironmentBinding binding) {
        return new OperationRetention.Candidate(
                operation(kind, state), OLD, Map.of("generation", "g1", "path", "/srv/a.json"), binding);
    }

    private static boolean removable(OperationRetention.Candidate candidate, RetentionHolds holds) {
        return OperationRetention.removable(candidate, holds, BEFORE);
    }

    @Property
    void nothingOpenGoesWhateverItsKindAndBinding(@ForAll OperationKind kind, @ForAll boolean bound) {
        for (OperationState open : List.of(OperationState.INTENT, OperationState.REQUESTED)) {
            assertThat(removable(candidate(kind, open, bound ? binding("g2") : null), NOTHING))
                    .isFalse();
        }
    }

    @Property
    void nothingGoesBeforeItsTime(
            @ForAll OperationKind kind, @ForAll @LongRange(min = -1000, max = 1000) long secondsAfter) {
        OperationRetention.Candidate candidate = new OperationRetention.Candidate(
                operation(kind, OperationState.CONFIRMED), BEFORE.plusSeconds(secondsAfter), Map.of(), null);
        assertThat(removable(candidate, NOTHING)).isEqualTo(secondsAfter < 0);
    }

    @Property
    void nothingThatIsNamedGoes(@ForAll OperationKind kind, @ForAll OperationState state, @ForAll boolean bound) {
        RetentionHolds named = new RetentionHolds(Set.of("op-1"), Set.of(), Set.of());
        assertThat(removable(candidate(kind, state, bound ? binding("g2") : null), named))
                .isFalse();
    }

    @Property
    void aBindingKeepsWhatSaysWhatItsComputeIs(@ForAll OperationKind kind) {
        boolean ofTheCompute = OF_THE_COMPUTE.contains(kind);
        assertThat(removable(candidate(kind, OperationState.CONFIRMED, binding("g2")), NOTHING))
                .isEqualTo(!ofTheCompute);
        RetentionHolds held = new RetentionHolds(Set.of(), Set.of("binding-1"), Set.of());
        assertThat(removable(candidate(kind, OperationState.CONFIRMED, null), held))
                .isEqualTo(!ofTheCompute);
        assertThat(removable(candidate(kind, OperationState.CONFIRMED, null), NOTHING))
                .isTrue();
    }

    @Example
    void theExportsOfThePresentGenerationStayAndSoDoThoseThatACheckpointRefersTo() {
        assertThat(removable(candidate(OperationKind.EXPORT, OperationState.CONFIRMED, binding("g1")), NOTHING))
                .isFalse();
        RetentionHolds artifact = new RetentionHolds(Set.of(), Set.of(), Set.of("/srv/a.json"));
        assertThat(removable(candidate(OperationKind.EXPORT, OperationState.CONFIRMED, null), artifact))
                .isFalse();
        assertThat(removable(candidate(OperationKind.EXPORT, OperationState.CONFIRMED, binding("g2")), NOTHING))
                .isTrue();
    }

    /** More holds never free anything. */
    @Property
    void aHoldOnlyEverKeeps(
            @ForAll OperationKind kind, @ForAll OperationState state, @ForAll boolean bound, @ForAll boolean named) {
        OperationRetention.Candidate candidate = candidate(kind, state, bound ? binding("g1") : null);
        RetentionHolds some =
                new RetentionHolds(named ? Set.of("op-1") : Set.of(), Set.of("binding-1"), Set.of("/srv/a.json"));
        assertThat(!removable(candidate, some) || removable(candidate, NOTHING)).isTrue();
    }

    @Example
    void anOpenCompletionHoldsItsExportAndItsStop() {
        EnvironmentOperation completion = operation(OperationKind.COMPLETION, OperationState.REQUESTED);
        RetentionHolds holds = new RetentionHolds.Builder()
                .open(
                        completion,
                        Map.of("exportOperationId", "export-1", "nested", List.of(Map.of("checkpointId", "cp-1"))))
                .build();
        assertThat(holds.operations()).contains("op-1", "export-1", "cp-1", CompletionRules.stopOperationId("op-1"));
    }

    @Example
    void aRetainedCheckpointHoldsItsSelectionItsBindingAndItsArtifacts() {
        EnvironmentCheckpoint checkpoint = new EnvironmentCheckpoint(
                "cp-1",
                "binding-1",
                "node-1",
                "worker@team",
                "g1",
                "t",
                "n",
                "r1",
                "/w",
                "/n",
                List.of(),
                List.of(new EnvironmentCheckpoint.Retained("work/artifacts/a", "/srv/a.json", "0", 1, "task-1")),
                List.of());
        RetentionHolds holds = new RetentionHolds.Builder()
                .checkpoint(checkpoint, "selection-1")
                .build();
        assertThat(holds)
                .isEqualTo(
                        new RetentionHolds(Set.of("cp-1", "selection-1"), Set.of("binding-1"), Set.of("/srv/a.json")));
    }
}
