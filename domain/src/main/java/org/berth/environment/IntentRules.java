package org.berth.environment;

import java.util.List;
import java.util.Optional;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** When an operation may be journalled. Source: environments.md, The rule of every effect. */
public final class IntentRules {
    private IntentRules() {}

    /**
     * What the store holds when a binding is asked for.
     *
     * @param saved the operation of the same id
     * @param existing the binding of the same id
     * @param journal the operations of {@code existing}
     * @param seatBound whether another binding has the seat or the node
     * @param nameHeld whether another binding holds gateway, workspace and name
     */
    public record Holdings(
            Optional<EnvironmentOperation> saved,
            Optional<BindingRecord> existing,
            List<EnvironmentOperation> journal,
            boolean seatBound,
            boolean nameHeld) {}

    /** The decision on an intent that makes a binding. The seat is looked at before the name. */
    public static IntentDecision bind(OperationIntent intent, Holdings holdings) {
        if (holdings.saved().isPresent()) {
            return repeated(intent, holdings.saved().get());
        }
        if (holdings.existing().isPresent()) {
            boolean asked = holdings.existing().get().binding().resource() != null
                    || holdings.journal().stream().anyMatch(each -> each.state() != OperationState.INTENT);
            if (asked) {
                return refuse(
                        ProblemCode.ENVIRONMENT_BINDING_EXISTS,
                        "The provider was already asked for this binding's environment; reconcile it first.");
            }
        }
        if (holdings.seatBound()) {
            return refuse(ProblemCode.ENVIRONMENT_SEAT_BOUND, "The seat or its node has another binding.");
        }
        if (holdings.nameHeld()) {
            return refuse(ProblemCode.ENVIRONMENT_NAME_IN_USE, "Another binding holds this name in the workspace.");
        }
        return holdings.existing()
                .<IntentDecision>map(IntentDecision.Replace::new)
                .orElseGet(IntentDecision.Fresh::new);
    }

    /** The decision on an intent of a binding that exists. */
    public static IntentDecision operate(OperationIntent intent, Optional<EnvironmentOperation> saved) {
        return saved.map(each -> repeated(intent, each)).orElseGet(IntentDecision.Fresh::new);
    }

    /** The decision on an id that was used under a binding that is no more. */
    public static IntentDecision spent() {
        return refuse(
                ProblemCode.ENVIRONMENT_OPERATION_CHANGED,
                "The operation id was used under a binding that was given up.");
    }

    private static IntentDecision repeated(OperationIntent intent, EnvironmentOperation saved) {
        return intent.is(saved)
                ? new IntentDecision.Replay(saved)
                : refuse(
                        ProblemCode.ENVIRONMENT_OPERATION_CHANGED,
                        "The operation id was used before with another request.");
    }

    private static IntentDecision refuse(ProblemCode code, String sentence) {
        return new IntentDecision.Refuse(new BerthException(code, sentence));
    }
}
