package org.berth.environment;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** What must hold of a binding before it is used. Every rule throws what it refuses. */
public final class BindingRules {
    private BindingRules() {}

    public static BerthException missing() {
        return new BerthException(ProblemCode.ENVIRONMENT_BINDING_MISSING, "There is no such environment binding.");
    }

    /** @throws BerthException environment_identity_changed, also for a binding without a confirmed environment */
    public static void requireIdentity(EnvironmentBinding binding, EnvironmentResource observed) {
        if (binding.resource() == null
                || observed == null
                || observed.id() == null
                || !observed.is(binding.resource())) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_IDENTITY_CHANGED,
                    "The live environment is not the one that this binding is bound to.");
        }
    }

    /** @throws BerthException environment_not_ready */
    public static void requireReady(EnvironmentResource observed) {
        if (!EnvironmentRules.READY.equals(observed.phase())) {
            throw new BerthException(ProblemCode.ENVIRONMENT_NOT_READY, "The bound environment is not Ready.");
        }
    }

    /** @throws BerthException environment_generation_changed, also for null and for a binding without a projection */
    public static void requireGeneration(EnvironmentBinding binding, String generation) {
        if (generation == null || !generation.equals(binding.generation())) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_GENERATION_CHANGED,
                    "The environment was prepared for another launch generation.");
        }
    }

    /**
     * That {@code current} is still what {@code selected} was: the same incarnation, resource, node, seat and, where
     * {@code generation} is not null, that generation.
     *
     * @throws BerthException environment_selection_changed
     */
    public static void requireUnchanged(BindingRecord selected, BindingRecord current, String generation) {
        boolean same = current != null
                && selected.incarnation().equals(current.incarnation())
                && Objects.equals(resourceId(selected), resourceId(current))
                && Objects.equals(
                        selected.binding().config().nodeId(),
                        current.binding().config().nodeId())
                && selected.binding()
                        .config()
                        .seat()
                        .equals(current.binding().config().seat())
                && (generation == null || generation.equals(current.binding().generation()));
        if (!same) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_SELECTION_CHANGED,
                    "The binding changed while the operation was under way.");
        }
    }

    /**
     * That nothing was ever launched on the binding's present compute: a resource carries one launch.
     *
     * @param launches the binding's operations of kind LAUNCH with their requests as trees
     * @throws BerthException environment_prior_execution_unconfirmed
     */
    public static void requireNoExecution(
            EnvironmentBinding binding, Map<EnvironmentOperation, Map<String, Object>> launches) {
        launches.forEach((operation, request) -> {
            boolean here = operation.state() != OperationState.REFUSED
                    && binding.resource() != null
                    && binding.resource().id().equals(request.get("resourceId"));
            if (here) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_PRIOR_EXECUTION_UNCONFIRMED,
                        "Something was launched on this compute before; what it reads is left as it is.");
            }
        });
    }

    /**
     * That the binding may be given up: it is attached, its environment is proven deleted, or its provider was never
     * asked.
     *
     * @throws BerthException environment_binding_exists
     */
    public static void requireReleasable(BindingRecord binding, List<EnvironmentOperation> journal) {
        boolean unasked = binding.binding().resource() == null
                && journal.stream().allMatch(each -> each.state() == OperationState.INTENT);
        if (binding.binding().ownership() != Ownership.ATTACHED && binding.holdsName() && !unasked) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_BINDING_EXISTS,
                    "The binding owns an environment that is not proven deleted; delete it first.");
        }
    }

    private static String resourceId(BindingRecord binding) {
        return binding.binding().resource() == null
                ? null
                : binding.binding().resource().id();
    }
}
