package org.berth.retention;

import java.time.Instant;
import java.util.Map;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.OperationState;

/**
 * Which journalled operations may be removed. Source: issue 4, Retention: never what an open operation, a checkpoint or a
 * binding refers to.
 */
public final class OperationRetention {
    private OperationRetention() {}

    /**
     * A journalled operation and the binding that it was made under.
     *
     * @param changedAt its last change
     * @param receipt empty when there is none
     * @param binding null once the binding was given up
     */
    public record Candidate(
            EnvironmentOperation operation,
            Instant changedAt,
            Map<String, Object> receipt,
            EnvironmentBinding binding) {}

    /**
     * Whether nothing needs it any more. While there is a binding, or something holds one of its id, all that says what
     * its compute is, what runs there and how its absence is proven stays; so do the exports of its present generation,
     * which a checkpoint may still select.
     *
     * @param before what changed later stays
     */
    public static boolean removable(Candidate candidate, RetentionHolds holds, Instant before) {
        EnvironmentOperation operation = candidate.operation();
        boolean over = operation.state() == OperationState.CONFIRMED || operation.state() == OperationState.REFUSED;
        if (!over
                || !candidate.changedAt().isBefore(before)
                || holds.operations().contains(operation.operationId())) {
            return false;
        }
        boolean bound = candidate.binding() != null || holds.bindings().contains(operation.bindingId());
        return switch (operation.kind()) {
            case CREATE, ATTACH, LAUNCH, CLEANUP_INVENTORY, RECREATE, CHECKPOINT, CHECKPOINT_SELECTION -> !bound;
            case EXPORT -> !ofThePresent(candidate) && !artifactHeld(candidate, holds);
            case EFFECT, COMPLETION -> true;
        };
    }

    private static boolean artifactHeld(Candidate candidate, RetentionHolds holds) {
        return candidate.receipt().get("path") instanceof String path
                && holds.files().contains(path);
    }

    private static boolean ofThePresent(Candidate candidate) {
        EnvironmentBinding binding = candidate.binding();
        return binding != null
                && binding.generation() != null
                && binding.generation().equals(candidate.receipt().get("generation"));
    }
}
