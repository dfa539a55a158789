package org.berth.placement.service;

import jakarta.ejb.EJBException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.LockTimeoutException;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PessimisticLockException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.berth.placement.Attempt;
import org.berth.placement.Step;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Applies rules to attempts: repeats a transaction that lost a lock, a bounded number of times, and throws a rule's
 * refusal once its evidence is committed.
 */
@ApplicationScoped
public class AttemptChanges {
    private static final int TRIES = 5;

    @Inject
    private AttemptLedger ledger;

    /** @throws BerthException the rule's refusal; NOT_FOUND; CONFLICT when the row stays locked; STORAGE */
    public Step apply(String attemptId, Function<Attempt, Step> rule) {
        Step step = retried(() -> ledger.change(attemptId, rule));
        if (step.refusal() != null) {
            throw step.refusal();
        }
        return step;
    }

    static <T> T retried(Supplier<T> transaction) {
        for (int left = TRIES; ; left--) {
            try {
                return transaction.get();
            } catch (EJBException e) {
                if (!lostLock(e)) {
                    throw new BerthException(
                            ProblemCode.STORAGE, "the database refused the change; nothing was recorded", e);
                }
                if (left <= 1) {
                    throw new BerthException(
                            ProblemCode.CONFLICT, "the attempt is being changed by others; read it and try again", e);
                }
            }
        }
    }

    private static boolean lostLock(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof LockTimeoutException
                    || cause instanceof PessimisticLockException
                    || cause instanceof OptimisticLockException) {
                return true;
            }
        }
        return false;
    }
}
