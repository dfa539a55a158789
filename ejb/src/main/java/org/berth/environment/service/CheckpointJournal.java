package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.berth.environment.BindingRecord;
import org.berth.environment.BindingRules;
import org.berth.environment.CheckpointRules;
import org.berth.environment.CheckpointSelection;
import org.berth.environment.EnvironmentCheckpoint;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.IntentDecision;
import org.berth.environment.IntentRules;
import org.berth.environment.OperationIntent;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.store.EnvironmentRepository;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The journal of checkpoints. One is two operations: its own, whose receipt is the last try until it is the checkpoint,
 * and the selection, which is confirmed once and then stays.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class CheckpointJournal {
    @Inject
    private EnvironmentJournal journal;

    /** For the container, which injects. */
    public CheckpointJournal() {}

    CheckpointJournal(EnvironmentJournal journal) {
        this.journal = journal;
    }

    /** The checkpoint's operation, as it is now. */
    Optional<EnvironmentOperation> find(String checkpointId) {
        return journal.read(store -> store.operation(checkpointId))
                .filter(each -> each.kind() == OperationKind.CHECKPOINT);
    }

    /** Journals the intent, or finds the same one of before. @throws BerthException environment_operation_changed */
    EnvironmentOperation intend(BindingRecord selected, CheckpointRequest request) {
        return journal.intend(
                selected,
                OperationIntent.of(
                        request.operationId(),
                        selected.bindingId(),
                        OperationKind.CHECKPOINT,
                        request.tree(),
                        request.requestedBy()),
                OperationState.REQUESTED);
    }

    /**
     * Notes that {@code executionId} works on the checkpoint now.
     *
     * @throws BerthException the refusal that ended it; NOT_FOUND
     */
    EnvironmentOperation begin(String checkpointId, long executionId) {
        journal.step(store -> store.note(checkpointId, OperationState.REQUESTED, running(executionId)));
        EnvironmentOperation operation =
                find(checkpointId).orElseThrow(() -> BerthException.notFound("there is no such checkpoint"));
        if (operation.state() == OperationState.REFUSED) {
            throw CheckpointAttempt.refusal(operation);
        }
        return operation;
    }

    /** Keeps the refusal; it ends the operation when the same try can only end the same way. */
    void fail(EnvironmentOperation operation, long executionId, BerthException problem) {
        String note = CanonicalJson.write(
                CheckpointAttempt.failed(executionId, problem).tree());
        String id = operation.operationId();
        journal.step(store -> {
            boolean frozen = selection(store, id).isPresent();
            store.note(id, OperationState.REQUESTED, note);
            if (CheckpointRules.isFinal(problem.code(), frozen)) {
                store.refuse(id, problem.code().wire());
            }
            return null;
        });
    }

    /** The frozen selection. */
    Optional<CheckpointSelection> selection(String checkpointId) {
        return journal.read(store -> selection(store, checkpointId));
    }

    /** Confirmed exports of the generation, one more than a checkpoint may hold at most. */
    List<Map<String, Object>> exports(BindingRecord selected, String generation) {
        return journal.read(store -> store.journal(selected, OperationKind.EXPORT)).stream()
                .filter(each -> each.state() == OperationState.CONFIRMED)
                .map(each -> StrictJson.object(each.receipt()))
                .filter(receipt -> generation.equals(receipt.get("generation")))
                .limit(CheckpointRules.ARTIFACTS + 1L)
                .toList();
    }

    /**
     * Freezes what {@code choose} makes of the binding, in one transaction; a selection that is there stays.
     *
     * @throws BerthException environment_selection_changed, environment_generation_changed
     */
    CheckpointSelection freeze(
            BindingRecord selected,
            EnvironmentOperation operation,
            Function<BindingRecord, CheckpointSelection> choose) {
        CheckpointRequest request = CheckpointRequest.of(operation);
        String id = CheckpointSelection.operationId(operation.operationId());
        return journal.step(store -> {
            BindingRecord current = store.lock(selected.bindingId()).orElse(null);
            BindingRules.requireUnchanged(selected, current, request.generation());
            Optional<CheckpointSelection> frozen = selection(store, operation.operationId());
            if (frozen.isPresent()) {
                return frozen.get();
            }
            CheckpointSelection selection = choose.apply(current);
            OperationIntent intent = OperationIntent.of(
                    id,
                    current.bindingId(),
                    OperationKind.CHECKPOINT_SELECTION,
                    selectionRequest(request),
                    request.requestedBy());
            if (IntentRules.operate(intent, store.operation(id)) instanceof IntentDecision.Refuse refuse) {
                throw refuse.problem();
            }
            journal.append(store, current, intent, OperationState.INTENT);
            store.confirm(id, CanonicalJson.write(selection.tree()));
            return selection;
        });
    }

    /**
     * Writes the receipt; the one that was written first stays.
     *
     * @throws BerthException environment_selection_changed, environment_generation_changed; the refusal that ended it
     */
    void record(BindingRecord selected, EnvironmentOperation operation, EnvironmentCheckpoint checkpoint) {
        CheckpointRequest request = CheckpointRequest.of(operation);
        journal.step(store -> {
            BindingRecord current = store.lock(selected.bindingId()).orElse(null);
            BindingRules.requireUnchanged(selected, current, request.generation());
            EnvironmentOperation now = store.operation(operation.operationId()).orElseThrow(BindingRules::missing);
            if (now.state() == OperationState.REFUSED) {
                throw CheckpointAttempt.refusal(now);
            }
            Map<String, Object> receipt = checkpoint.tree();
            receipt.put(CheckpointAttempt.EXECUTION, CheckpointAttempt.executionId(now));
            return store.confirm(operation.operationId(), CanonicalJson.write(receipt));
        });
    }

    /** That the binding still has what was asked for. */
    static void requireSelected(BindingRecord selected, CheckpointRequest request) {
        BindingRules.requireGeneration(selected.binding(), request.generation());
        boolean same = selected.binding().resource() != null
                && Objects.equals(selected.binding().resource().id(), request.resourceId());
        if (!same) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_SELECTION_CHANGED, "The binding has other compute than was asked for.");
        }
    }

    private static Optional<CheckpointSelection> selection(EnvironmentRepository store, String checkpointId) {
        return store.operation(CheckpointSelection.operationId(checkpointId))
                .filter(each ->
                        each.kind() == OperationKind.CHECKPOINT_SELECTION && each.state() == OperationState.CONFIRMED)
                .map(each -> CheckpointSelection.of(StrictJson.object(each.receipt())));
    }

    private static Map<String, Object> selectionRequest(CheckpointRequest request) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("checkpointId", request.operationId());
        tree.put("generation", request.generation());
        tree.put("resourceId", request.resourceId());
        tree.put("nativeId", request.nativeId());
        return tree;
    }

    private static String running(long executionId) {
        return CanonicalJson.write(CheckpointAttempt.running(executionId).tree());
    }
}
