package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.berth.environment.BindingRecord;
import org.berth.environment.BindingRules;
import org.berth.environment.EnvironmentCheckpoint;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.OperationState;
import org.berth.fault.FaultPoint;
import org.berth.json.StrictJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.work.Actor;

/**
 * Takes checkpoints: journals what is asked for, has the job {@code checkpoint-capture} do it, and waits for the receipt.
 * Source: environments.md, Jakarta Batch jobs.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class CheckpointService {
    /** How long a caller waits for the receipt. Source: environments.md, Jakarta Batch jobs. */
    static final Duration PATIENCE = Duration.ofSeconds(120);

    /** Between two looks at an execution, which the runtime keeps in memory. */
    private static final long FIRST_LOOKS_MILLIS = 5;

    private static final long LATER_LOOKS_MILLIS = 100;
    private static final int FIRST_LOOKS = 200;

    @Inject
    private EnvironmentReader reader;

    @Inject
    private CheckpointJournal journal;

    @Inject
    private LaunchJournal launches;

    @Inject
    private RetainedCheckpoints retained;

    @Inject
    private CheckpointJobs jobs;

    /** For the container, which injects. */
    public CheckpointService() {}

    CheckpointService(
            EnvironmentReader reader,
            CheckpointJournal journal,
            LaunchJournal launches,
            RetainedCheckpoints retained,
            CheckpointJobs jobs) {
        this.reader = reader;
        this.journal = journal;
        this.launches = launches;
        this.retained = retained;
        this.jobs = jobs;
    }

    /** What a caller is told. */
    public sealed interface Outcome {
        /** @param receipt the checkpoint */
        record Recorded(Map<String, Object> receipt) implements Outcome {}

        /** It goes on; the same request joins it. */
        record UnderWay(String operationId, long executionId) implements Outcome {}
    }

    /**
     * Takes the checkpoint, or answers the one that was taken under {@code operationId}, after verifying its bytes.
     *
     * @throws BerthException invalid_environment_request, environment_binding_missing, environment_generation_changed,
     *     environment_native_unconfirmed, environment_operation_changed, environment_checkpoint_missing when it was
     *     removed; the refusals of the capture
     */
    public Outcome take(String bindingId, String operationId, String generation, Actor actor) {
        EnvironmentRules.identifier(generation, "generation");
        EnvironmentRules.identifier(operationId, "operationId");
        Optional<EnvironmentOperation> taken = journal.find(operationId)
                .filter(each -> each.bindingId().equals(bindingId)
                        && each.state() == OperationState.CONFIRMED
                        && CheckpointRequest.of(each).isAskedBy(actor, generation));
        if (taken.isPresent()) {
            return recorded(taken.get());
        }
        BindingRecord selected = reader.ours(bindingId);
        if (selected.binding().resource() == null || selected.binding().config().nodeId() == null) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_BINDING_MISSING, "A checkpoint needs a confirmed binding of a node.");
        }
        BindingRules.requireGeneration(selected.binding(), generation);
        EnvironmentOperation operation = journal.intend(
                selected,
                new CheckpointRequest(
                        operationId,
                        generation,
                        actor.session(),
                        selected.hostId(),
                        selected.binding().resource().id(),
                        launches.confirmedNative(selected).nativeId()));
        FaultPoint.CHECKPOINT_INTENT.hit();
        return operation.state() == OperationState.REQUESTED
                ? awaited(operation, goOn(operation))
                : ended(operation, 0);
    }

    /**
     * Starts, joins or restarts the capture of an open operation.
     *
     * @return the execution
     */
    long goOn(EnvironmentOperation operation) {
        CheckpointAttempt last = CheckpointAttempt.of(operation);
        return jobs.ensure(
                operation.operationId(),
                CheckpointRequest.of(operation).hostId(),
                last == null ? 0 : last.executionId());
    }

    private Outcome awaited(EnvironmentOperation operation, long executionId) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (int look = 0; jobs.runs(executionId); look++) {
            if (System.nanoTime() - deadline > 0) {
                return new Outcome.UnderWay(operation.operationId(), executionId);
            }
            try {
                TimeUnit.MILLISECONDS.sleep(look < FIRST_LOOKS ? FIRST_LOOKS_MILLIS : LATER_LOOKS_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return new Outcome.UnderWay(operation.operationId(), executionId);
            }
        }
        return ended(journal.find(operation.operationId()).orElseThrow(BindingRules::missing), executionId);
    }

    private Outcome ended(EnvironmentOperation operation, long executionId) {
        if (operation.state() == OperationState.CONFIRMED) {
            // What its own capture recorded was verified a moment ago, by the step before.
            return executionId > 0 ? receipt(operation) : recorded(operation);
        }
        if (operation.state() == OperationState.REFUSED) {
            throw CheckpointAttempt.refusal(operation);
        }
        CheckpointAttempt attempt = CheckpointAttempt.of(operation);
        if (attempt != null && attempt.failed()) {
            throw attempt.problem();
        }
        throw new BerthException(
                ProblemCode.ENVIRONMENT_UNCONFIRMED,
                "The capture's execution " + executionId + " ended without an answer; send the same request again.");
    }

    private Outcome recorded(EnvironmentOperation operation) {
        EnvironmentCheckpoint checkpoint = RetainedCheckpoints.recorded(operation)
                .orElseThrow(() ->
                        new BerthException(ProblemCode.ENVIRONMENT_CHECKPOINT_MISSING, "The checkpoint was removed."));
        retained.verify(checkpoint);
        return receipt(operation);
    }

    private static Outcome receipt(EnvironmentOperation operation) {
        return new Outcome.Recorded(StrictJson.object(operation.receipt()));
    }
}
