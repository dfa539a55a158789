package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.berth.placement.store.AttemptRepository;

/**
 * Lets writes that come at the same time share a transaction, since its commit is what a small write costs. A write runs
 * on its caller's thread when nobody else writes; else it waits and the one who writes next takes it along. Writes that
 * fail together are run again, each in a transaction of its own, so that each fails for itself only. No write is
 * answered before its commit. Safe for any thread; must not be called inside a transaction that holds rows which the
 * write needs.
 */
@ApplicationScoped
public class SharedCommits {
    /** Writes of one transaction. An own choice: beyond it a commit's share is small and its rows are held for long. */
    static final int MAX_TOGETHER = 16;

    /** Transactions at once: enough for a database that is not on this machine, few enough to be shared. An own choice. */
    static final int MAX_AT_ONCE = Math.max(2, Runtime.getRuntime().availableProcessors());

    /** Runs writes in one transaction of their own. */
    @FunctionalInterface
    interface Border {
        /** @return the answers in order; what a write throws undoes all */
        List<Object> together(List<? extends Function<AttemptRepository, ?>> writes);
    }

    private final Border border;
    private final Semaphore turns;
    private final ConcurrentLinkedQueue<Waiting> queue = new ConcurrentLinkedQueue<>();

    /** For the container's proxy. */
    protected SharedCommits() {
        this(null, 1);
    }

    @Inject
    SharedCommits(AttemptLedger ledger) {
        this(ledger::together, MAX_AT_ONCE);
    }

    SharedCommits(Border border, int atOnce) {
        this.border = border;
        this.turns = new Semaphore(atOnce);
    }

    /**
     * Runs {@code write} in a transaction, perhaps with others, and answers after the commit. It may run more than once;
     * only its last run counts.
     */
    public <T> T commit(Function<AttemptRepository, T> write) {
        Waiting own = new Waiting(write, Thread.currentThread());
        queue.add(own);
        boolean interrupted = false;
        while (!own.answered) {
            if (!turns.tryAcquire() || !lead(own)) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return own.result();
    }

    /** Writes that no transaction has taken yet. */
    int waiting() {
        return queue.size();
    }

    /** One transaction of what waits, and the turn's end. @return whether anything waited */
    private boolean lead(Waiting own) {
        try {
            List<Waiting> batch = new ArrayList<>();
            for (Waiting next = queue.poll(); next != null; next = batch.size() < MAX_TOGETHER ? queue.poll() : null) {
                batch.add(next);
            }
            if (!batch.isEmpty()) {
                write(batch, own);
            }
            return !batch.isEmpty();
        } finally {
            turns.release();
            wakeNext();
        }
    }

    private void write(List<Waiting> batch, Waiting own) {
        try {
            List<Object> answers =
                    border.together(batch.stream().map(each -> each.write).toList());
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).answer(answers.get(i), null, own);
            }
        } catch (RuntimeException | Error e) {
            if (batch.size() == 1) {
                batch.getFirst().answer(null, e, own);
            } else {
                batch.forEach(each -> alone(each, own));
            }
        }
    }

    private void alone(Waiting each, Waiting own) {
        try {
            each.answer(border.together(List.of(each.write)).getFirst(), null, own);
        } catch (RuntimeException | Error e) {
            each.answer(null, e, own);
        }
    }

    /** Whoever found no turn was in the queue before it looked, so that it is seen here, after the turn's end. */
    private void wakeNext() {
        Waiting next = queue.peek();
        if (next != null) {
            LockSupport.unpark(next.thread);
        }
    }

    private static final class Waiting {
        private final Function<AttemptRepository, ?> write;
        private final Thread thread;
        private Object result;
        private Throwable failure;
        private volatile boolean answered;

        Waiting(Function<AttemptRepository, ?> write, Thread thread) {
            this.write = write;
            this.thread = thread;
        }

        void answer(Object value, Throwable problem, Waiting leader) {
            result = value;
            failure = problem;
            answered = true;
            if (this != leader) {
                LockSupport.unpark(thread);
            }
        }

        @SuppressWarnings("unchecked")
        <T> T result() {
            switch (failure) {
                case null -> {
                    return (T) result;
                }
                case Error error -> throw error;
                default -> throw (RuntimeException) failure;
            }
        }
    }
}
