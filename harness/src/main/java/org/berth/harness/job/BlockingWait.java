package org.berth.harness.job;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The one function for every blocking wait: settled when the end comes before the deadline, else detached at the deadline.
 * A deadline that has passed detaches at once, even when the end is there, and an end that is told late is not taken for an
 * early one. Source: harness.md, S2.
 */
public final class BlockingWait {
    private final WaitTimer timer;

    public BlockingWait(WaitTimer timer) {
        this.timer = Objects.requireNonNull(timer);
    }

    /** The moment {@code budgetMillis} from now, as {@link #until} takes it. */
    public long deadline(long budgetMillis) {
        return timer.nanos() + Math.multiplyExact(budgetMillis, 1_000_000L);
    }

    /**
     * Answers without holding a thread.
     *
     * @param deadlineNanos on the timer's clock
     */
    public <E> CompletableFuture<Waited<E>> until(Ending<E> ending, long deadlineNanos) {
        long left = deadlineNanos - timer.nanos();
        if (left <= 0) {
            return CompletableFuture.completedFuture(new Waited.Detached<>());
        }
        CompletableFuture<Waited<E>> answer = new CompletableFuture<>();
        Runnable cancel = timer.schedule(left, () -> answer.complete(new Waited.Detached<>()));
        Runnable leave = ending.hear(end -> answer.complete(
                timer.nanos() - deadlineNanos < 0 ? new Waited.Settled<>(end) : new Waited.Detached<>()));
        answer.whenComplete((waited, failure) -> {
            cancel.run();
            leave.run();
        });
        return answer;
    }

    /** As {@link #until}, on this thread, for callers that may block. */
    public <E> Waited<E> await(Ending<E> ending, long deadlineNanos) throws InterruptedException {
        try {
            return until(ending, deadlineNanos).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a wait ends with an answer", e);
        }
    }
}
