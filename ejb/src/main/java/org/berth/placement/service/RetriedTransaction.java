package org.berth.placement.service;

import jakarta.ejb.EJBException;
import java.util.function.Supplier;
import org.berth.placement.store.StoreFailures;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** A transaction that is repeated a bounded number of times when it lost a lock. */
public final class RetriedTransaction {
    private static final int TRIES = 5;

    private RetriedTransaction() {}

    /**
     * @param busy the sentence of a refusal when the rows stay locked
     * @throws BerthException the transaction's own refusal; CONFLICT with {@code busy}; STORAGE
     */
    public static <T> T of(Supplier<T> transaction, String busy) {
        for (int left = TRIES; ; left--) {
            try {
                return transaction.get();
            } catch (EJBException e) {
                if (e.getCause() instanceof BerthException refusal) {
                    throw refusal;
                }
                if (!StoreFailures.retryable(e)) {
                    throw new BerthException(
                            ProblemCode.STORAGE, "the database refused the change; nothing was recorded", e);
                }
                if (left <= 1) {
                    throw new BerthException(ProblemCode.CONFLICT, busy, e);
                }
            }
        }
    }
}
