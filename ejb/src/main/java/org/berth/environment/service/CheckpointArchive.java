package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.environment.CheckpointUses;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.store.EnvironmentRepository;
import org.berth.fault.FaultPoint;
import org.berth.host.service.Host;
import org.berth.json.StrictJson;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.work.Actor;

/**
 * Lists checkpoints with what they take of the disk, and removes those that nothing needs. Source: environments.md,
 * Limits.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class CheckpointArchive {
    @Inject
    private EnvironmentJournal journal;

    @Inject
    private CheckpointFiles files;

    @Inject
    private CheckpointJobs jobs;

    @Inject
    private Host host;

    @Inject
    @Any
    private Instance<CheckpointUses> users;

    /** For the container, which injects. */
    public CheckpointArchive() {}

    CheckpointArchive(EnvironmentJournal journal, CheckpointFiles files, CheckpointJobs jobs, Host host) {
        this.journal = journal;
        this.files = files;
        this.jobs = jobs;
        this.host = host;
    }

    /** Everybody who is deployed and may need a checkpoint. */
    Iterable<CheckpointUses> users() {
        return users;
    }

    /**
     * Newest first, those that failed or were removed too.
     *
     * @param bindingId null for every binding's
     * @param after the last checkpoint of the page before; null for the first page
     * @param limit 1..1000
     * @throws BerthException INVALID for a cursor that names nothing
     */
    public List<Map<String, Object>> page(String bindingId, String after, int limit) {
        return journal.read(store -> store.newest(OperationKind.CHECKPOINT, bindingId, after, limit)).stream()
                .map(this::summary)
                .toList();
    }

    /** The summary with the receipt, what needs it, and its batch executions. @throws BerthException environment_checkpoint_missing (404) */
    public Map<String, Object> show(String checkpointId) {
        EnvironmentOperation operation = journal.read(store -> required(store, checkpointId));
        Map<String, Object> tree = summary(operation);
        if (operation.state() == OperationState.CONFIRMED) {
            tree.put("checkpoint", StrictJson.object(operation.receipt()));
        }
        tree.put("uses", uses(checkpointId));
        tree.put("executions", jobs.executions(CheckpointAttempt.executionId(operation)));
        return tree;
    }

    /**
     * Removes the bytes for good; the operation stays and says so. What was removed before is removed again, as far as a
     * crash left something.
     *
     * @throws BerthException environment_checkpoint_missing (404), environment_checkpoint_in_use, UNAVAILABLE for one of
     *     another host
     */
    public Map<String, Object> remove(String checkpointId, Actor actor) {
        EnvironmentOperation marked = journal.step(store -> mark(store, checkpointId, actor));
        FaultPoint.CHECKPOINT_REMOVED.hit();
        CheckpointFiles.Usage freed = files.usage(marked.bindingId(), checkpointId);
        files.remove(marked.bindingId(), checkpointId);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("checkpointId", checkpointId);
        tree.put("bindingId", marked.bindingId());
        tree.put("removed", true);
        tree.put("freedBytes", freed.bytes());
        tree.put("freedFiles", freed.files());
        return tree;
    }

    private EnvironmentOperation mark(EnvironmentRepository store, String checkpointId, Actor actor) {
        String bindingId = required(store, checkpointId).bindingId();
        store.lock(bindingId);
        EnvironmentOperation operation = required(store, checkpointId);
        if (!host.hostId().equals(CheckpointRequest.of(operation).hostId())) {
            throw BerthException.unavailable("The checkpoint lies on another host; send the request to its server.");
        }
        if (isRemoved(operation)) {
            return operation;
        }
        List<String> uses = uses(checkpointId);
        CheckpointAttempt attempt = CheckpointAttempt.of(operation);
        if (attempt != null && operation.state() == OperationState.REQUESTED && jobs.runs(attempt.executionId())) {
            uses = List.of("its own capture, execution " + attempt.executionId());
        }
        if (!uses.isEmpty()) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_CHECKPOINT_IN_USE,
                    "The checkpoint is needed by " + String.join(", ", uses) + "; nothing was removed.");
        }
        Map<String, Object> receipt =
                new LinkedHashMap<>(operation.receipt() == null ? Map.of() : StrictJson.object(operation.receipt()));
        receipt.put(RetainedCheckpoints.REMOVED, journal.now().toString());
        receipt.put("removedBy", actor.session());
        store.note(checkpointId, operation.state(), CanonicalJson.write(receipt));
        store.refuse(checkpointId, ProblemCode.ENVIRONMENT_CHECKPOINT_MISSING.wire());
        return operation;
    }

    static boolean isRemoved(EnvironmentOperation operation) {
        return operation.receipt() != null
                && StrictJson.object(operation.receipt()).containsKey(RetainedCheckpoints.REMOVED);
    }

    private List<String> uses(String checkpointId) {
        List<String> uses = new ArrayList<>();
        users().forEach(each -> uses.addAll(each.uses(checkpointId)));
        return uses.stream().sorted().toList();
    }

    private Map<String, Object> summary(EnvironmentOperation operation) {
        CheckpointRequest request = CheckpointRequest.of(operation);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("checkpointId", operation.operationId());
        tree.put("bindingId", operation.bindingId());
        tree.put("state", state(operation));
        tree.put("generation", request.generation());
        tree.put("nativeType", EnvironmentRules.NATIVE_TYPE);
        tree.put("nativeId", request.nativeId());
        tree.put("resourceId", request.resourceId());
        tree.put("requestedBy", request.requestedBy());
        tree.put("createdAt", operation.createdAt().toString());
        tree.put(
                "ageSeconds",
                Duration.between(operation.createdAt(), journal.now()).toSeconds());
        long execution = CheckpointAttempt.executionId(operation);
        if (execution > 0) {
            tree.put(CheckpointAttempt.EXECUTION, execution);
        }
        CheckpointAttempt attempt = isRemoved(operation) ? null : CheckpointAttempt.of(operation);
        if (attempt != null && attempt.failed()) {
            tree.put("code", attempt.code());
            tree.put("status", attempt.status());
            tree.put("detail", attempt.detail());
        }
        if (host.hostId().equals(request.hostId())) {
            CheckpointFiles.Usage usage = files.usage(operation.bindingId(), operation.operationId());
            tree.put("diskBytes", usage.bytes());
            tree.put("diskFiles", usage.files());
        } else {
            tree.put("hostId", request.hostId());
        }
        return tree;
    }

    private static String state(EnvironmentOperation operation) {
        if (isRemoved(operation)) {
            return "removed";
        }
        CheckpointAttempt attempt = CheckpointAttempt.of(operation);
        return switch (operation.state()) {
            case CONFIRMED -> "retained";
            case REFUSED -> "refused";
            case INTENT, REQUESTED -> attempt != null && attempt.failed() ? "failed" : "pending";
        };
    }

    private static EnvironmentOperation required(EnvironmentRepository store, String checkpointId) {
        return store.operation(checkpointId)
                .filter(each -> each.kind() == OperationKind.CHECKPOINT)
                .orElseThrow(() -> new BerthException(
                        ProblemCode.ENVIRONMENT_CHECKPOINT_MISSING, 404, "There is no such checkpoint."));
    }
}
