package org.berth.environment.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.environment.Completions;
import org.berth.host.service.HostJobs;
import org.berth.placement.service.SupervisorConnected;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.work.WorkSettled;

/**
 * Runs the job {@code completion-reconcile}: after the boot, once a supervisor is connected; after the commit in which
 * work was done; and on demand. One execution at a time; what is asked for meanwhile makes it go round once more. Without
 * a selection an event costs one query and no execution.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class CompletionJob implements Completions {
    /** The job's id, which is its file's name: {@value}. */
    public static final String JOB = "completion-reconcile";

    private static final Logger LOG = Logger.getLogger(CompletionJob.class.getName());

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private CompletionService completions;

    @Inject
    private HostJobs jobs;

    private final AtomicBoolean looking = new AtomicBoolean();

    /** Held by the one execution that goes round; an administrator may start more. */
    private final ReentrantLock rounds = new ReentrantLock();

    /** Guards the three below. */
    private final Object asking = new Object();

    private boolean asked;
    private boolean started;
    private List<CompletableFuture<Outcome>> waiting = new ArrayList<>();

    /** Whoever was connected, completions may have waited for it. */
    void connected(@Observes SupervisorConnected connected) {
        look();
    }

    void settled(@Observes(during = TransactionPhase.AFTER_SUCCESS) WorkSettled settled) {
        look();
    }

    /**
     * Has everything checked that is selected now.
     *
     * @return the outcome of the round that began after this call; fails with UNAVAILABLE when the job cannot be started
     */
    public CompletionStage<Outcome> check() {
        CompletableFuture<Outcome> answer = new CompletableFuture<>();
        ask(answer);
        return answer;
    }

    @Override
    public Outcome reconcile() {
        rounds.lock();
        try {
            Outcome all = new Outcome(0, 0, 0);
            boolean first = true;
            while (true) {
                List<CompletableFuture<Outcome>> served;
                synchronized (asking) {
                    if (!asked && !first) {
                        started = false;
                        return all;
                    }
                    started = true;
                    asked = false;
                    served = waiting;
                    waiting = new ArrayList<>();
                }
                first = false;
                all = all.plus(round(served));
            }
        } finally {
            rounds.unlock();
        }
    }

    private Outcome round(List<CompletableFuture<Outcome>> served) {
        try {
            Outcome outcome = completions.check();
            served.forEach(answer -> answer.complete(outcome));
            return outcome;
        } catch (RuntimeException e) {
            synchronized (asking) {
                started = false;
            }
            served.forEach(answer -> answer.completeExceptionally(e));
            throw e;
        }
    }

    /** On a thread of its own, since the caller is at the end of a transaction. */
    private void look() {
        if (looking.compareAndSet(false, true)) {
            try {
                executor.execute(this::askWhenSelected);
            } catch (RejectedExecutionException e) {
                looking.set(false);
                LOG.log(Level.FINE, "the server is stopping", e);
            }
        }
    }

    private void askWhenSelected() {
        looking.set(false);
        try {
            if (completions.anyOpen()) {
                ask(null);
            }
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "selected completions could not be read; the next event reads them again", e);
        }
    }

    private void ask(CompletableFuture<Outcome> answer) {
        synchronized (asking) {
            asked = true;
            if (answer != null) {
                waiting.add(answer);
            }
            if (started) {
                return;
            }
            started = true;
        }
        try {
            jobs.start(JOB);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the job " + JOB + " could not be started; the next event tries again", e);
            List<CompletableFuture<Outcome>> failed;
            synchronized (asking) {
                started = false;
                failed = waiting;
                waiting = new ArrayList<>();
            }
            BerthException refusal = new BerthException(
                    ProblemCode.UNAVAILABLE, "completions cannot be checked now; what is selected stays selected", e);
            failed.forEach(each -> each.completeExceptionally(refusal));
        }
    }
}
