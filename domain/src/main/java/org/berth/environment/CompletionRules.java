package org.berth.environment;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.work.ClosureReason;
import org.berth.work.WorkSelection;
import org.berth.work.WorkState;

/**
 * When a binding's execution may end because its task is done. Source: the reference's {@code selectCompletion}, {@code
 * completionEligible} and {@code checkCompletions}.
 */
public final class CompletionRules {
    /** At most one observation of a completion in this time. */
    public static final Duration BETWEEN = Duration.ofSeconds(60);

    private static final String STOP = "completion-stop-";
    private static final int STOP_DIGITS = 48;

    private CompletionRules() {}

    /**
     * What is known of a completion at one moment.
     *
     * @param binding null when there is none
     * @param task null when there is none
     * @param export the operation of the selected export's id; null when there is none
     * @param receipt the export's receipt; empty when there is none
     */
    public record Situation(
            BindingRecord binding, WorkSelection task, EnvironmentOperation export, Map<String, Object> receipt) {}

    /**
     * The selection of {@code request} on {@code binding}.
     *
     * @param task the selected work item; null when there is none
     * @throws BerthException invalid_environment_request, environment_binding_missing, environment_generation_changed,
     *     environment_completion_invalid, environment_task_changed
     */
    public static CompletionSelection select(
            EnvironmentBinding binding, CompletionRequest request, WorkSelection task, String requestedBy) {
        EnvironmentRules.identifier(request.generation(), "generation");
        if (binding.resource() == null || binding.config().nodeId() == null) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_BINDING_MISSING, "A completion needs a confirmed binding of a node.");
        }
        BindingRules.requireGeneration(binding, request.generation());
        EnvironmentRules.identifier(request.taskId(), "taskId");
        EnvironmentRules.identifier(request.exportOperationId(), "exportOperationId");
        if (binding.ownership() != Ownership.OWNED
                || !(EnvironmentEffect.STOP_NATIVE.wire().equals(request.effect())
                        || EnvironmentEffect.STOP_COMPUTE.wire().equals(request.effect()))) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_COMPLETION_INVALID,
                    "A completion selects stop-native or stop-compute of an owned environment.");
        }
        if (task == null || !binding.config().seat().equals(task.destinationSession())) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_TASK_CHANGED, "The selected work item is not one of the bound seat.");
        }
        EnvironmentRules.identifier(request.operationId(), "operationId");
        return new CompletionSelection(
                request.operationId(),
                request.generation(),
                request.taskId(),
                request.exportOperationId(),
                EnvironmentEffect.of(request.effect()),
                binding.resource().id(),
                requestedBy);
    }

    /** What stands in the way, the exported bytes aside; empty when nothing does. */
    public static Optional<CompletionHold> hold(CompletionSelection selection, Situation now) {
        EnvironmentBinding binding =
                now.binding() == null ? null : now.binding().binding();
        if (binding == null
                || !selection.generation().equals(binding.generation())
                || binding.resource() == null
                || !binding.resource().id().equals(selection.resourceId())) {
            return Optional.of(CompletionHold.BINDING_CHANGED);
        }
        WorkSelection task = now.task();
        if (task == null || !binding.config().seat().equals(task.destinationSession())) {
            return Optional.of(CompletionHold.TASK_CHANGED);
        }
        if (!WorkState.DONE.wire().equals(task.state())) {
            return Optional.of(CompletionHold.TASK_NOT_DONE);
        }
        if (!ClosureReason.NO_FOLLOW_ON.wire().equals(task.closureReason())) {
            return Optional.of(CompletionHold.TASK_HAS_FOLLOW_ON);
        }
        EnvironmentOperation export = now.export();
        boolean home = export != null
                && export.bindingId().equals(binding.bindingId())
                && export.kind() == OperationKind.EXPORT
                && export.state() == OperationState.CONFIRMED
                && binding.bindingId().equals(now.receipt().get("bindingId"))
                && selection.generation().equals(now.receipt().get("generation"))
                && selection.taskId().equals(now.receipt().get("taskId"));
        return home ? Optional.empty() : Optional.of(CompletionHold.EXPORT_MISSING);
    }

    /** Whether {@code bytes} are what the export's receipt says. */
    public static boolean matches(Map<String, Object> receipt, byte[] bytes) {
        return receipt.get("bytes") instanceof Number length
                && length.longValue() == bytes.length
                && CanonicalJson.sha256(bytes).equals(receipt.get("sha256"));
    }

    /**
     * Whether an eligible completion may be observed again.
     *
     * @param lastAttempt null when there was none; one that lies in the future by more than the interval is of a clock
     *     that was set back, and counts for nothing
     */
    public static boolean due(Instant lastAttempt, Instant now) {
        return lastAttempt == null || Duration.between(lastAttempt, now).abs().compareTo(BETWEEN) >= 0;
    }

    /** The id of the one stop of a completion. */
    public static String stopOperationId(String operationId) {
        String digest = CanonicalJson.sha256(operationId.getBytes(StandardCharsets.UTF_8));
        return STOP + digest.substring(0, STOP_DIGITS);
    }
}
