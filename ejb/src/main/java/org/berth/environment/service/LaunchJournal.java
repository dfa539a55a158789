package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.berth.environment.BindingRecord;
import org.berth.environment.BindingRules;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.store.EnvironmentRepository;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The journal of native launches. A launch is known by its generation; its request names binding, node, generation,
 * resource and native id, of which a repeated launch must meet all but the native id, since the first one chose that.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class LaunchJournal {
    @Inject
    private EnvironmentJournal journal;

    /** For the container, which injects. */
    public LaunchJournal() {}

    LaunchJournal(EnvironmentJournal journal) {
        this.journal = journal;
    }

    /** The operation's id. */
    public static String operationId(String generation) {
        return "launch-" + generation;
    }

    /** The name of the work grant that Berth issues for a binding without a work connection of its own. */
    public static String workGrant(String bindingId) {
        return "environment-" + bindingId;
    }

    /** The request of a launch operation. */
    public static Map<String, Object> request(EnvironmentOperation operation) {
        return StrictJson.object(operation.request());
    }

    /**
     * The launch of that generation, as it was saved.
     *
     * @throws BerthException environment_operation_changed when it is another binding's, node's or resource's
     */
    public Optional<EnvironmentOperation> saved(BindingRecord selected, String generation) {
        return journal.read(store -> store.operation(operationId(generation))).map(found -> {
            requireSame(selected, generation, found);
            return found;
        });
    }

    /**
     * Journals the intent, or finds the one of before.
     *
     * @param request holds bindingId, nodeId, generation, resourceId and nativeId
     * @throws BerthException environment_operation_changed, environment_selection_changed,
     *     environment_prior_execution_unconfirmed when another launch was made on this compute
     */
    public EnvironmentOperation intend(
            BindingRecord selected, String generation, Map<String, Object> request, String requestedBy) {
        return journal.step(store -> {
            BindingRecord current = store.lock(selected.bindingId()).orElse(null);
            BindingRules.requireUnchanged(selected, current, null);
            Optional<EnvironmentOperation> found = store.operation(operationId(generation));
            if (found.isPresent()) {
                requireSame(current, generation, found.get());
                return found.get();
            }
            BindingRules.requireNoExecution(current.binding(), launches(store, current));
            EnvironmentOperation operation = new EnvironmentOperation(
                    operationId(generation),
                    current.bindingId(),
                    OperationKind.LAUNCH,
                    CanonicalJson.write(request),
                    null,
                    OperationState.INTENT,
                    null,
                    requestedBy,
                    null,
                    journal.now());
            store.append(current, operation);
            return operation;
        });
    }

    /** Completes the request of an intent, for example by the grant that was issued. @return whether it still is one */
    public boolean revise(EnvironmentOperation operation, Map<String, Object> request) {
        return journal.step(store -> store.revise(operation.operationId(), CanonicalJson.write(request)));
    }

    /**
     * Claims the launch of {@code selected} and does {@code alongside} in the same transaction, such as the registration
     * of its generation.
     *
     * @return whether this caller, and nobody else, may launch now
     * @throws BerthException environment_selection_changed when the binding or its generation changed
     */
    public boolean claim(BindingRecord selected, EnvironmentOperation operation, Runnable alongside) {
        return journal.step(store -> {
            BindingRecord current = store.lock(selected.bindingId()).orElse(null);
            BindingRules.requireUnchanged(selected, current, selected.binding().generation());
            boolean claimed = store.move(operation.operationId(), OperationState.INTENT, OperationState.REQUESTED);
            if (claimed) {
                alongside.run();
            }
            return claimed;
        });
    }

    /** The exact native that was confirmed on a compute. */
    public record ConfirmedNative(String nativeId, String generation) {}

    /**
     * The native that was confirmed last for the binding's generation on its present compute.
     *
     * @throws BerthException environment_native_unconfirmed when there is none
     */
    public ConfirmedNative confirmedNative(BindingRecord selected) {
        EnvironmentBinding binding = selected.binding();
        return journal.read(store -> store.journal(selected, OperationKind.LAUNCH)).reversed().stream()
                .filter(each -> each.state() == OperationState.CONFIRMED)
                .map(each -> StrictJson.object(each.receipt()))
                .filter(receipt -> binding.resource() != null
                        && binding.resource().id().equals(receipt.get("resourceId"))
                        && Objects.equals(binding.generation(), receipt.get("generation"))
                        && EnvironmentRules.NATIVE_TYPE.equals(receipt.get("nativeType"))
                        && receipt.get("nativeId") instanceof String)
                .map(receipt -> new ConfirmedNative((String) receipt.get("nativeId"), binding.generation()))
                .findFirst()
                .orElseThrow(() -> new BerthException(
                        ProblemCode.ENVIRONMENT_NATIVE_UNCONFIRMED,
                        "The selected compute has no confirmed native of this generation."));
    }

    /** Records the identity that was observed; the receipt that was recorded first stays. */
    public void confirm(EnvironmentOperation operation, Map<String, Object> receipt) {
        journal.confirm(operation.operationId(), receipt);
    }

    /**
     * That nothing was launched on the binding's compute: what a running agent reads is never overwritten.
     *
     * @throws BerthException environment_prior_execution_unconfirmed
     */
    public void requireNoExecution(BindingRecord selected) {
        BindingRules.requireNoExecution(selected.binding(), journal.read(store -> launches(store, selected)));
    }

    /**
     * Gives a binding of a seat to the node that launches it first.
     *
     * @throws BerthException environment_seat_changed when it is another node's; environment_selection_changed
     */
    public BindingRecord claimNode(BindingRecord selected, String nodeId) {
        return journal.step(store -> {
            BindingRecord current = store.lock(selected.bindingId()).orElse(null);
            BindingRules.requireUnchanged(selected, current, null);
            EnvironmentBinding binding = current.binding();
            if (nodeId.equals(binding.config().nodeId())) {
                return current;
            }
            if (binding.config().nodeId() != null) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_SEAT_CHANGED, "The environment belongs to another node.");
            }
            BindingRecord claimed = current.with(new EnvironmentBinding(
                    binding.config().withNodeId(nodeId),
                    binding.ownership(),
                    binding.resource(),
                    binding.generation()));
            store.save(claimed);
            return claimed;
        });
    }

    static Map<EnvironmentOperation, Map<String, Object>> launches(EnvironmentRepository store, BindingRecord binding) {
        List<EnvironmentOperation> operations = store.journal(binding, OperationKind.LAUNCH);
        Map<EnvironmentOperation, Map<String, Object>> launches = new LinkedHashMap<>();
        operations.forEach(each -> launches.put(each, request(each)));
        return launches;
    }

    private static void requireSame(BindingRecord selected, String generation, EnvironmentOperation found) {
        Map<String, Object> request = request(found);
        boolean same = found.kind() == OperationKind.LAUNCH
                && found.bindingId().equals(selected.bindingId())
                && generation.equals(request.get("generation"))
                && Objects.equals(selected.binding().config().nodeId(), request.get("nodeId"))
                && selected.binding().resource() != null
                && selected.binding().resource().id().equals(request.get("resourceId"));
        if (!same) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_OPERATION_CHANGED,
                    "The saved launch of this generation belongs to another binding or compute.");
        }
    }
}
