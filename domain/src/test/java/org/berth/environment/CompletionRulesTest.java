package org.berth.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.work.ClosureReason;
import org.berth.work.WorkSelection;
import org.berth.work.WorkState;

class CompletionRulesTest {
    private static final EnvironmentBinding OWNED =
            bound(Environments.binding(Ownership.OWNED, Environments.resource("r1", "env-1")), "g1");
    private static final WorkSelection DONE =
            new WorkSelection("task-1", "lead@team", "worker@team", "done", "no-follow-on");
    private static final CompletionRequest REQUEST =
            new CompletionRequest("completion-1", "g1", "task-1", "export-1", "stop-native");
    private static final CompletionSelection SELECTED = CompletionRules.select(OWNED, REQUEST, DONE, "lead@team");
    private static final Map<String, Object> RECEIPT =
            Map.of("bindingId", "binding-1", "generation", "g1", "taskId", "task-1");

    private static EnvironmentBinding bound(EnvironmentBinding binding, String generation) {
        return new EnvironmentBinding(binding.config(), binding.ownership(), binding.resource(), generation);
    }

    private static BindingRecord record(EnvironmentBinding binding) {
        return new BindingRecord(binding, "incarnation-1", "host-1", true, null, Environments.NOW);
    }

    private static EnvironmentOperation export(OperationKind kind, OperationState state, String binding) {
        return new EnvironmentOperation(
                "export-1", binding, kind, "{}", null, state, "{}", "a@b", null, Environments.NOW);
    }

    private static CompletionRules.Situation situation(WorkSelection task) {
        return new CompletionRules.Situation(
                record(OWNED), task, export(OperationKind.EXPORT, OperationState.CONFIRMED, "binding-1"), RECEIPT);
    }

    private static ProblemCode refused(EnvironmentBinding binding, CompletionRequest request, WorkSelection task) {
        return catchThrowableOfType(
                        BerthException.class, () -> CompletionRules.select(binding, request, task, "lead@team"))
                .code();
    }

    @Example
    void aSelectionIsReadBackFromItsRequest() {
        assertThat(CompletionSelection.of(SELECTED.tree())).isEqualTo(SELECTED);
        assertThat(SELECTED.tree())
                .containsEntry("resourceId", "r1")
                .containsEntry("requestedBy", "lead@team")
                .containsEntry("effect", "stop-native");
    }

    @Example
    void onlyAnOwnedConfirmedBindingsOwnWorkIsSelectedForAStop() {
        assertThat(refused(bound(Environments.binding(Ownership.OWNED, null), "g1"), REQUEST, DONE))
                .isEqualTo(ProblemCode.ENVIRONMENT_BINDING_MISSING);
        assertThat(refused(bound(OWNED, "g2"), REQUEST, DONE)).isEqualTo(ProblemCode.ENVIRONMENT_GENERATION_CHANGED);
        EnvironmentBinding attached =
                bound(Environments.binding(Ownership.ATTACHED, Environments.resource("r1", null)), "g1");
        assertThat(refused(attached, REQUEST, DONE)).isEqualTo(ProblemCode.ENVIRONMENT_COMPLETION_INVALID);
        for (String effect : new String[] {"close-viewer", "delete-owned", "stop", null}) {
            assertThat(refused(OWNED, new CompletionRequest("completion-1", "g1", "task-1", "export-1", effect), DONE))
                    .isEqualTo(ProblemCode.ENVIRONMENT_COMPLETION_INVALID);
        }
        assertThat(refused(OWNED, REQUEST, null)).isEqualTo(ProblemCode.ENVIRONMENT_TASK_CHANGED);
        assertThat(refused(OWNED, REQUEST, new WorkSelection("task-1", "a@b", "other@team", "done", "no-follow-on")))
                .isEqualTo(ProblemCode.ENVIRONMENT_TASK_CHANGED);
        for (CompletionRequest wrong : List.of(
                new CompletionRequest(null, "g1", "task-1", "export-1", "stop-native"),
                new CompletionRequest("completion-1", null, "task-1", "export-1", "stop-native"),
                new CompletionRequest("completion-1", "g1", "a b", "export-1", "stop-native"),
                new CompletionRequest("completion-1", "g1", "task-1", "", "stop-native"))) {
            assertThat(refused(OWNED, wrong, DONE)).isEqualTo(ProblemCode.INVALID_ENVIRONMENT_REQUEST);
        }
    }

    @Property
    void onlyWorkThatIsDoneWithoutFollowOnLetsItGoOn(@ForAll WorkState state, @ForAll ClosureReason reason) {
        WorkSelection task = new WorkSelection("task-1", "lead@team", "worker@team", state.wire(), reason.wire());
        assertThat(CompletionRules.hold(SELECTED, situation(task)).isEmpty())
                .isEqualTo(state == WorkState.DONE && reason == ClosureReason.NO_FOLLOW_ON);
    }

    @Property
    void onlyAConfirmedExportOfThisBindingCounts(
            @ForAll OperationKind kind, @ForAll OperationState state, @ForAll boolean own) {
        CompletionRules.Situation now = new CompletionRules.Situation(
                record(OWNED), DONE, export(kind, state, own ? "binding-1" : "binding-2"), RECEIPT);
        boolean home = own && kind == OperationKind.EXPORT && state == OperationState.CONFIRMED;
        assertThat(CompletionRules.hold(SELECTED, now))
                .isEqualTo(home ? Optional.empty() : Optional.of(CompletionHold.EXPORT_MISSING));
    }

    @Property
    void aReceiptOfAnotherBindingGenerationOrTaskDoesNotCount(@ForAll boolean a, @ForAll boolean b, @ForAll boolean c) {
        Map<String, Object> receipt = new LinkedHashMap<>();
        receipt.put("bindingId", a ? "binding-1" : "binding-2");
        receipt.put("generation", b ? "g1" : "g0");
        receipt.put("taskId", c ? "task-1" : "task-2");
        CompletionRules.Situation now = new CompletionRules.Situation(
                record(OWNED), DONE, export(OperationKind.EXPORT, OperationState.CONFIRMED, "binding-1"), receipt);
        assertThat(CompletionRules.hold(SELECTED, now).isEmpty()).isEqualTo(a && b && c);
    }

    @Example
    void anotherGenerationComputeOrOwnerHoldsIt() {
        for (EnvironmentBinding changed : List.of(
                bound(OWNED, "g2"),
                bound(OWNED, null),
                OWNED.withResource(Environments.resource("r2", "env-1")),
                OWNED.withResource(null))) {
            CompletionRules.Situation now = new CompletionRules.Situation(record(changed), DONE, null, Map.of());
            assertThat(CompletionRules.hold(SELECTED, now)).contains(CompletionHold.BINDING_CHANGED);
        }
        assertThat(CompletionRules.hold(SELECTED, new CompletionRules.Situation(null, DONE, null, Map.of())))
                .contains(CompletionHold.BINDING_CHANGED);
        assertThat(CompletionRules.hold(SELECTED, situation(null))).contains(CompletionHold.TASK_CHANGED);
        assertThat(CompletionRules.hold(
                        SELECTED, situation(new WorkSelection("task-1", "a@b", "other@team", "done", "no-follow-on"))))
                .contains(CompletionHold.TASK_CHANGED);
        assertThat(CompletionRules.hold(SELECTED, new CompletionRules.Situation(record(OWNED), DONE, null, Map.of())))
                .contains(CompletionHold.EXPORT_MISSING);
    }

    @Property
    void bytesMatchTheirOwnReceiptAndNoOther(@ForAll @Size(max = 64) byte[] home, @ForAll @Size(max = 64) byte[] now) {
        Map<String, Object> receipt = Map.of("bytes", (long) home.length, "sha256", CanonicalJson.sha256(home));
        assertThat(CompletionRules.matches(receipt, now)).isEqualTo(java.util.Arrays.equals(home, now));
        assertThat(CompletionRules.matches(Map.of(), now)).isFalse();
    }

    @Property
    void aCompletionIsObservedAtMostOnceAMinute(
            @ForAll @LongRange(min = -200_000, max = 200_000) long millis,
            @ForAll @LongRange(min = 0, max = 4_000_000_000_000L) long epoch) {
        Instant last = Instant.ofEpochMilli(epoch);
        assertThat(CompletionRules.due(last, last.plusMillis(millis)))
                .isEqualTo(Math.abs(millis) >= Duration.ofMinutes(1).toMillis());
        assertThat(CompletionRules.due(null, last)).isTrue();
    }

    @Property
    void theStopHasOneIdOfItsOwn(@ForAll @StringLength(min = 1, max = 160) String operation) {
        String id = CompletionRules.stopOperationId(operation);
        assertThat(id)
                .matches("completion-stop-[0-9a-f]{48}")
                .isEqualTo("completion-stop-"
                        + CanonicalJson.sha256(operation.getBytes(StandardCharsets.UTF_8))
                                .substring(0, 48));
        assertThat(EnvironmentRules.identifier(id, "operationId")).isEqualTo(id);
    }

    @Example
    void anAttemptSaysWhenItBeganAndWhatItIsFor() {
        Instant now = Instant.ofEpochMilli(1_700_000_000_123L);
        Map<String, Object> begun = CompletionAttempt.begun(SELECTED, now);
        assertThat(begun)
                .containsEntry("state", "pending")
                .containsEntry("lastAttemptAt", 1_700_000_000_123L)
                .containsEntry("taskId", "task-1")
                .containsEntry("exportOperationId", "export-1");
        assertThat(CompletionAttempt.at(begun)).isEqualTo(now);
        assertThat(CompletionAttempt.at(Map.of())).isNull();
        Map<String, Object> observed =
                CompletionAttempt.observed(SELECTED, Map.of("state", "confirmed", "effect", "stop-native"), now);
        assertThat(CompletionAttempt.isConfirmed(observed)).isTrue();
        assertThat(observed).containsEntry("effect", "stop-native").containsEntry("taskId", "task-1");
        BerthException refusal = new BerthException(ProblemCode.ENVIRONMENT_NATIVE_CHANGED, "another one");
        assertThat(CompletionAttempt.unconfirmed(SELECTED, refusal, now))
                .containsEntry("state", "unconfirmed")
                .containsEntry("code", "environment_native_changed");
        assertThat(CompletionAttempt.unconfirmed(SELECTED, null, now)).doesNotContainKey("code");
    }
}
