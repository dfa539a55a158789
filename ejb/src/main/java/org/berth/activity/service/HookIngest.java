package org.berth.activity.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.berth.problem.BerthException;

/**
 * Gathers posts that arrive together into one transaction: while one commits, the next ones gather. At most one worker
 * runs at a time and none while nothing is posted. Completions run on that worker: they must not wait.
 */
@ApplicationScoped
public class HookIngest {
    /** Bounds what waits in memory. A post more is refused and may be sent again. */
    private static final int QUEUED = 4096;

    /** Bounds a transaction's length. */
    private static final int TOGETHER = 256;

    private record Waiting(HookSubmission submission, CompletableFuture<HookOutcome> answer) {}

    private final BlockingQueue<Waiting> queue = new ArrayBlockingQueue<>(QUEUED);
    private final AtomicBoolean working = new AtomicBoolean();

    @Inject
    private HookLedger ledger;

    @Resource
    private ManagedExecutorService executor;

    /** Completes once the post is durable or refused; exceptionally when the database failed. */
    public CompletableFuture<HookOutcome> submit(HookSubmission submission) {
        Waiting waiting = new Waiting(submission, new CompletableFuture<>());
        if (!queue.offer(waiting)) {
            waiting.answer.completeExceptionally(
                    BerthException.unavailable("too many hook posts wait to be recorded; try again"));
        } else if (working.compareAndSet(false, true)) {
            executor.execute(this::work);
        }
        return waiting.answer;
    }

    private void work() {
        List<Waiting> batch = new ArrayList<>(TOGETHER);
        while (true) {
            while (queue.drainTo(batch, TOGETHER) > 0) {
                record(batch);
                batch.clear();
            }
            working.set(false);
            // One that came between the last look and the flag has started no worker of its own.
            if (queue.isEmpty() || !working.compareAndSet(false, true)) {
                return;
            }
        }
    }

    private void record(List<Waiting> batch) {
        try {
            List<HookOutcome> outcomes =
                    ledger.record(batch.stream().map(Waiting::submission).toList());
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).answer.complete(outcomes.get(i));
            }
        } catch (RuntimeException e) {
            batch.forEach(each -> each.answer.completeExceptionally(e));
        }
    }
}
