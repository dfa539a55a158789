package org.berth.environment;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Who may have which effect, and what an observation says of it. Source: environments.md, Operations, effect; the
 * reference's lifecycle.
 */
public final class EffectRules {
    /** What a driver answers when it observed nothing: no word on the effect, neither that it came nor that it did not. */
    private static final Set<ProblemCode> UNOBSERVED = EnumSet.of(
            ProblemCode.ENVIRONMENT_UNCONFIRMED,
            ProblemCode.ENVIRONMENT_GUEST_UNCONFIRMED,
            ProblemCode.OPENSHELL_TRANSPORT_UNCONFIRMED,
            ProblemCode.UNCERTAIN,
            ProblemCode.UNAVAILABLE);

    private EffectRules() {}

    /**
     * That the effect may be asked for: the binding has a confirmed environment and is still of the caller's generation.
     * Before the first projection a binding has no generation, and the caller names none.
     *
     * @throws BerthException environment_binding_missing, environment_generation_changed, invalid_environment_request
     */
    public static void requireSelected(EnvironmentBinding binding, String generation) {
        if (binding.resource() == null) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_BINDING_MISSING, 409, "The binding has no confirmed environment yet.");
        }
        if (generation == null && binding.generation() == null) {
            return;
        }
        BindingRules.requireGeneration(binding, EnvironmentRules.identifier(generation, "generation"));
    }

    /** @throws BerthException environment_attached_preserved */
    public static void requireOwned(EnvironmentBinding binding, EnvironmentEffect effect) {
        if (effect != EnvironmentEffect.CLOSE_VIEWER && binding.ownership() != Ownership.OWNED) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_ATTACHED_PRESERVED,
                    "An attached environment is kept as it is: its native, storage and compute are not this binding's."
                            + " Only its windows can be closed.");
        }
    }

    /** Whether {@code current} is still what the caller selected. */
    public static boolean stillSelected(BindingRecord selected, BindingRecord current) {
        return current != null
                && current.incarnation().equals(selected.incarnation())
                && current.binding().resource() != null
                && current.binding()
                        .resource()
                        .id()
                        .equals(selected.binding().resource().id())
                && Objects.equals(
                        current.binding().generation(), selected.binding().generation());
    }

    /** The canonical request: the caller's, his seat, and the resource that it is about. */
    public static Map<String, Object> request(EnvironmentBinding binding, EffectRequest request, String requestedBy) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("operationId", request.operationId());
        putPresent(tree, "generation", request.generation());
        tree.put("effect", request.effect().wire());
        putPresent(tree, "engineSocket", request.engineSocket());
        putPresent(tree, "requestedBy", requestedBy);
        tree.put("resourceId", binding.resource().id());
        return tree;
    }

    /** The receipt, or what is answered in its place while the effect is not confirmed. */
    public static Map<String, Object> receipt(
            EnvironmentBinding binding, EffectRequest request, String requestedBy, EffectOutcome outcome) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("version", EnvironmentTrees.VERSION);
        tree.put("operationId", request.operationId());
        tree.put("bindingId", binding.bindingId());
        putPresent(tree, "generation", request.generation());
        tree.put("resourceId", binding.resource().id());
        tree.put("effect", request.effect().wire());
        putPresent(tree, "requestedBy", requestedBy);
        tree.put("state", outcome.state().wire());
        if (outcome.remaining() != null) {
            tree.put("remaining", remaining(outcome.remaining()));
        }
        if (outcome.stillRunning() != null) {
            tree.put("stillRunning", outcome.stillRunning());
        }
        putPresent(tree, "detail", outcome.detail());
        return tree;
    }

    /** Whether the failure says nothing about the effect. */
    public static boolean unobserved(BerthException failure) {
        return UNOBSERVED.contains(failure.code());
    }

    /** @throws BerthException environment_native_changed unless {@code observed} is the confirmed native */
    public static void requireNative(NativeObservation observed, String nativeId, String generation) {
        if (!isNative(observed, nativeId, generation)) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_NATIVE_CHANGED,
                    "The native that is observed is another one than the launch confirmed; no signal was sent.");
        }
    }

    public static boolean isNative(NativeObservation observed, String nativeId, String generation) {
        return nativeId.equals(observed.nativeId()) && Objects.equals(generation, observed.generation());
    }

    /** What a phase says of the end of compute. */
    public static EffectOutcome stopped(String phase) {
        return EnvironmentRules.STOPPED.equals(phase)
                ? EffectOutcome.confirmed()
                : EffectOutcome.pending("The stop was asked for; the environment is " + phase + ", not Stopped yet.");
    }

    /** What is left of a deleted environment's parts decides; the provider's own word does not. */
    public static EffectOutcome deleted(DependentObservation remaining) {
        if (remaining == null) {
            return EffectOutcome.unconfirmed(
                    "The provider shows the environment no longer, but no inventory of its parts was captured before:"
                            + " their absence is not proven.");
        }
        return remaining.absent()
                ? new EffectOutcome(EffectOutcome.State.CONFIRMED, remaining, null, null)
                : new EffectOutcome(
                        EffectOutcome.State.UNCONFIRMED,
                        remaining,
                        null,
                        "The provider shows the environment no longer, but parts of it are still there.");
    }

    private static Map<String, Object> remaining(DependentObservation left) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("workload", left.workload());
        tree.put("supervisor", left.supervisor());
        tree.put("volumes", left.volumes());
        return tree;
    }

    private static void putPresent(Map<String, Object> tree, String name, String value) {
        if (value != null) {
            tree.put(name, value);
        }
    }
}
