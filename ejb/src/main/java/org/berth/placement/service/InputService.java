package org.berth.placement.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.berth.access.Caller;
import org.berth.placement.Attempt;
import org.berth.placement.ExecutionState;
import org.berth.placement.InputOutcome;
import org.berth.placement.TerminalSize;

/** Input to a running child, apart from its acceptance and its exit. Source: placement.md, input and close_stdin. */
@ApplicationScoped
public class InputService {
    private static final InputOutcome NOT_RUNNING = new InputOutcome(false, 0, "not_started");

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private AttemptReader reader;

    @Inject
    private ProcessesGateway gateway;

    /** {@code writeId}: 32 lower-case hex digits; the same id again is acknowledged without a second write. */
    public CompletionStage<InputOutcome> write(
            Caller caller, String attemptId, long generation, String writeId, byte[] data) {
        Attempt attempt = reader.ours(caller, attemptId);
        if (attempt.executionState() == ExecutionState.INTENDED) {
            return CompletableFuture.completedFuture(NOT_RUNNING);
        }
        return settled(gateway.call(
                processes -> processes.write(attempt.attemptKey(), attempt.nonce(), generation, writeId, data)));
    }

    /** Whether the write is known to have been accepted; a lost runner answers no. */
    public CompletionStage<Boolean> wrote(Caller caller, String attemptId, String writeId) {
        Attempt attempt = reader.ours(caller, attemptId);
        if (attempt.executionState() == ExecutionState.INTENDED) {
            return CompletableFuture.completedFuture(false);
        }
        return settled(gateway.call(processes -> processes.wrote(attempt.attemptKey(), attempt.nonce(), writeId)));
    }

    /** Closes the child's stdin; its event records it. */
    public CompletionStage<InputOutcome> closeStdin(Caller caller, String attemptId) {
        Attempt attempt = reader.ours(caller, attemptId);
        if (attempt.executionState() == ExecutionState.INTENDED) {
            return CompletableFuture.completedFuture(NOT_RUNNING);
        }
        return settled(gateway.call(processes -> processes.closeStdin(attempt.attemptKey(), attempt.nonce())));
    }

    public CompletionStage<InputOutcome> resize(Caller caller, String attemptId, long generation, TerminalSize size) {
        Attempt attempt = reader.ours(caller, attemptId);
        return settled(
                gateway.call(processes -> processes.resize(attempt.attemptKey(), attempt.nonce(), generation, size)));
    }

    /** Cumulative. Ignored for a generation that is not in force. */
    public void acknowledge(Attempt attempt, long generation, long consumedThrough) {
        gateway.call(processes -> {
            processes.acknowledge(attempt.attemptKey(), attempt.nonce(), generation, consumedThrough);
            return null;
        });
    }

    private <T> CompletionStage<T> settled(CompletionStage<T> answer) {
        return answer.handleAsync(
                (value, failure) -> {
                    if (failure != null) {
                        throw Failures.unwrap(failure);
                    }
                    return value;
                },
                executor);
    }
}
