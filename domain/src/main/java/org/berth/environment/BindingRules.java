package org.berth.environment;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** What must hold of a binding before it is used. Every rule throws what it refuses. */
public final class BindingRules {
    /** How long a provider may be at a create. Source: environments.md, Drivers: a call takes 30 s at most. */
    public static final Duration CREATE_SETTLES = Duration.ofSeconds(35);

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

    /** The create whose effect was asked for and of which nothing was observed; empty when there is none. */
    public static Optional<EnvironmentOperation> openCreate(BindingRecord binding, List<EnvironmentOperation> journal) {
        return journal.stream()
                .filter(each -> binding.binding().resource() == null
                        && each.kind() == OperationKind.CREATE
                        && each.state() == OperationState.REQUESTED)
                .findFirst();
    }

    /**
     * That nobody is still making the environment of a claimed create.
     *
     * @param sinceClaim how long ago it was claimed
     * @throws BerthException environment_create_unconfirmed
     */
    public static void requireSettled(Duration sinceClaim) {
        if (sinceClaim.compareTo(CREATE_SETTLES) < 0) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_CREATE_UNCONFIRMED,
                    "The create may still be under way; ask again " + CREATE_SETTLES.toSeconds()
                            + " s after it was made.");
        }
    }

    /**
     * That no environment of {@code create} exists, which only a complete listing proves.
     *
     * @throws BerthException environment_listing_incomplete, environment_binding_exists
     */
    public static void requireNeverMade(EnvironmentOperation create, EnvironmentListing listing) {
        if (!listing.complete()) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_LISTING_INCOMPLETE,
                    "The provider's listing is incomplete; it does not prove that the create made nothing.");
        }
        if (listing.resources().stream().anyMatch(each -> create.effectId().equals(each.operationId()))) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_BINDING_EXISTS,
                    "The create did make an environment; the same create again binds it.");
        }
    }

    /**
     * That the binding may be given up: it is attached, its environment is proven deleted, or its provider was never
     * asked or is known to have made nothing.
     *
     * @throws BerthException environment_binding_exists
     */
    public static void requireReleasable(BindingRecord binding, List<EnvironmentOperation> journal) {
        boolean unasked = binding.binding().resource() == null
                && journal.stream()
                        .allMatch(each ->
                                each.state() == OperationState.INTENT || each.state() == OperationState.REFUSED);
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
