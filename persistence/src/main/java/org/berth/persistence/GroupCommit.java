package org.berth.persistence;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Lets the small writes of many request threads share one transaction, so that they share its commit, which is what a
 * small write costs. One thread at a time runs the waiting writes in the order of their arrival; while nothing waits
 * there is none. No write is answered before the commit.
 *
 * <p>A write that fails with a database error rolls the batch back; the others run again without it, and it runs once
 * more in a transaction of its own, so that it fails itself only.
 */
@ApplicationScoped
public class GroupCommit {
    /** Writes that may wait; more are refused. Source: a second's worth of the fastest writer, with room. */
    static final int MAX_WAITING = 8192;

    /** Writes of one transaction: beyond this a commit's share of a write is below a tenth. Source: measured. */
    static final int MAX_BATCH = 256;

    /** Longer than the database's lock timeout and the pool's wait together. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    /**
     * One write of a shared transaction. It may run more than once; only the last run's effects and result count.
     *
     * @param <T> what it answers
     */
    @FunctionalInterface
    public interface Work<T> {
        /**
         * Writes through {@code connection}, which it neither commits nor closes.
         *
         * @throws BerthException to refuse; before its first write, since the other writes of the batch stay
         */
        T run(Connection connection) throws SQLException;
    }

    /** Runs a batch in one transaction of its own. */
    @FunctionalInterface
    interface Border {
        void inTransaction(Batch batch) throws SQLException;
    }

    /** What runs inside the border. */
    @FunctionalInterface
    interface Batch {
        void run(Connection connection) throws SQLException;
    }

    private final Border border;
    private final BlockingQueue<Item<?>> waiting;
    private final AtomicBoolean draining = new AtomicBoolean();
    private Executor executor;

    /** For the container's proxy. */
    protected GroupCommit() {
        this(null, null, 1);
    }

    @Inject
    GroupCommit(GroupTransaction border) {
        this(border, null, MAX_WAITING);
    }

    GroupCommit(Border border, Executor executor, int maxWaiting) {
        this.border = border;
        this.executor = executor;
        this.waiting = new ArrayBlockingQueue<>(maxWaiting);
    }

    @Resource
    void setExecutor(ManagedExecutorService managed) {
        this.executor = managed;
    }

    /**
     * Runs {@code work} in a shared transaction.
     *
     * @return completed after the commit, on the writing thread: a dependent stage must be short, or asynchronous. Fails
     *     with the work's own exception; UNAVAILABLE when too many writes wait or no connection is got; STORAGE when the
     *     commit fails
     */
    public <T> CompletionStage<T> submit(Work<T> work) {
        Item<T> item = new Item<>(work);
        if (!waiting.offer(item)) {
            item.answer.completeExceptionally(BerthException.unavailable("too many writes wait; try again"));
        } else {
            wake();
        }
        return item.answer;
    }

    /**
     * As {@link #submit}, and waits for the commit. Must not be called inside a transaction that holds rows which the
     * work needs.
     *
     * @throws BerthException the work's refusal, UNAVAILABLE or STORAGE
     */
    public <T> T commit(Work<T> work) {
        try {
            return submit(work).toCompletableFuture().get(ANSWER_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof BerthException refusal
                    ? refusal
                    : new BerthException(ProblemCode.STORAGE, "the write failed", e.getCause());
        } catch (TimeoutException e) {
            throw new BerthException(ProblemCode.STORAGE, "the write is not confirmed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BerthException(ProblemCode.STORAGE, "the write is not confirmed", e);
        }
    }

    private void wake() {
        if (draining.compareAndSet(false, true)) {
            try {
                executor.execute(this::drain);
            } catch (RejectedExecutionException e) {
                draining.set(false);
                List<Item<?>> refused = new ArrayList<>();
                waiting.drainTo(refused);
                refused.forEach(item -> item.fail(unavailable(e)));
            }
        }
    }

    private void drain() {
        try {
            List<Item<?>> batch = new ArrayList<>(MAX_BATCH);
            while (waiting.drainTo(batch, MAX_BATCH) > 0) {
                write(batch);
                batch.clear();
            }
        } finally {
            draining.set(false);
            if (!waiting.isEmpty()) {
                wake();
            }
        }
    }

    /** Ends every item: with its answer, with its own failure, or with that of the transaction. */
    private void write(List<Item<?>> batch) {
        List<Item<?>> together = new ArrayList<>(batch);
        List<Item<?>> alone = new ArrayList<>();
        while (!together.isEmpty()) {
            Item<?> failed = attempt(together);
            if (failed == null) {
                break;
            }
            together.remove(failed);
            alone.add(failed);
        }
        for (Item<?> item : alone) {
            if (attempt(List.of(item)) != null) {
                item.fail(item.failure);
            }
        }
    }

    /** One transaction. @return the item that failed it, null when every item is answered */
    private Item<?> attempt(List<Item<?>> items) {
        Progress progress = new Progress(items);
        try {
            border.inTransaction(progress);
            items.forEach(Item::succeed);
            return null;
        } catch (SQLException | RuntimeException | Error e) {
            if (progress.failed != null) {
                return progress.failed;
            }
            BerthException failure = progress.begun
                    ? new BerthException(ProblemCode.STORAGE, "the write is not confirmed", e)
                    : unavailable(e);
            items.forEach(item -> item.fail(failure));
            return null;
        }
    }

    private static BerthException unavailable(Throwable cause) {
        return new BerthException(ProblemCode.UNAVAILABLE, "the database takes no write; try again", cause);
    }

    /** Runs the items one after the other and remembers the one that failed. */
    private static final class Progress implements Batch {
        private final List<Item<?>> items;
        private boolean begun;
        private Item<?> failed;

        Progress(List<Item<?>> items) {
            this.items = items;
        }

        @Override
        public void run(Connection connection) throws SQLException {
            begun = true;
            for (Item<?> item : items) {
                try {
                    item.run(connection);
                } catch (SQLException | RuntimeException | Error e) {
                    item.failure = e;
                    failed = item;
                    throw e;
                }
            }
        }
    }

    /** A waiting write and what its last run came to. */
    private static final class Item<T> {
        private final Work<T> work;
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private T result;
        private BerthException refusal;
        private Throwable failure;

        Item(Work<T> work) {
            this.work = work;
        }

        void run(Connection connection) throws SQLException {
            refusal = null;
            try {
                result = work.run(connection);
            } catch (BerthException e) {
                refusal = e;
            }
        }

        void succeed() {
            if (refusal != null) {
                answer.completeExceptionally(refusal);
            } else {
                answer.complete(result);
            }
        }

        void fail(Throwable cause) {
            answer.completeExceptionally(cause);
        }
    }
}
