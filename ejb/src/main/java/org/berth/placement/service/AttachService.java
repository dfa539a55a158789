package org.berth.placement.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.berth.access.Caller;
import org.berth.placement.Attempt;
import org.berth.placement.AttemptSteps;
import org.berth.placement.CleanupState;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.placement.ExecutionState;
import org.berth.placement.ExitSource;
import org.berth.placement.FenceOutcome;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Makes a new recipient under the next generation, fenced before it is told. Source: placement.md, attach and
 * Attachment fence.
 */
@ApplicationScoped
public class AttachService {
    /** How long a runner may take to fence. Source: placement.md, fence 2000 ms. */
    private static final long FENCE_MILLIS = 2_000;

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private AttemptReader reader;

    @Inject
    private AttemptChanges changes;

    @Inject
    private ProcessesGateway gateway;

    @Inject
    private LiveStreams streams;

    @Inject
    private Clock clock;

    /** Fails with CONFLICT for an ended attempt that has no output left, UNCERTAIN when the fence was not answered. */
    public CompletionStage<Attempt> attach(Caller caller, String attemptId) {
        Attempt recorded = reader.ours(caller, attemptId);
        requireSpool(recorded);
        Attempt attached = changes.apply(attemptId, current -> AttemptSteps.attach(current, clock.instant()))
                .attempt();
        streams.fence(attached);
        if (attached.executionState() == ExecutionState.INTENDED) {
            return CompletableFuture.completedFuture(attached);
        }
        return gateway.call(processes ->
                        processes.fence(attached.attemptKey(), attached.nonce(), attached.attachmentGeneration()))
                .toCompletableFuture()
                .orTimeout(FENCE_MILLIS, TimeUnit.MILLISECONDS)
                .handleAsync((outcome, failure) -> conclude(attached, outcome, failure), executor);
    }

    private static void requireSpool(Attempt attempt) {
        boolean ended = attempt.executionState() == ExecutionState.EXITED;
        if (ended
                && (attempt.exitSource() == ExitSource.NOT_STARTED
                        || attempt.cleanupState() == CleanupState.COMPLETE)) {
            throw nothingLeft();
        }
    }

    private static BerthException nothingLeft() {
        return BerthException.conflict(
                "the attempt has ended and no output is left to attach to; GET its logs shows what a log kept");
    }

    private Attempt conclude(Attempt attached, FenceOutcome outcome, Throwable failure) {
        if (failure != null) {
            if (failure instanceof TimeoutException || Failures.unwrap(failure).code() == ProblemCode.UNCERTAIN) {
                changes.apply(
                        attached.attemptId(),
                        current -> AttemptSteps.uncertain(
                                current,
                                Evidence.of(
                                        clock.instant(),
                                        EvidenceKind.ATTACHMENT_UNCERTAIN,
                                        Map.of("generation", attached.attachmentGeneration())),
                                clock.instant()));
                throw new BerthException(
                        ProblemCode.UNCERTAIN,
                        "the runner did not acknowledge the fence in time; reconcile the attempt");
            }
            throw Failures.unwrap(failure);
        }
        boolean ended = attached.executionState() == ExecutionState.EXITED;
        if (ended && !(outcome.known() && outcome.spool())) {
            throw nothingLeft();
        }
        return attached;
    }
}
