package org.berth.harness.service;

import jakarta.ejb.EJBException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.function.Function;
import java.util.function.Supplier;
import org.berth.placement.store.StoreFailures;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Steps on sessions, repeated a bounded number of times when they lost a lock. */
@ApplicationScoped
public class SessionChanges {
    private static final int TRIES = 5;

    @Inject
    private SessionLedger ledger;

    /** @throws BerthException the step's refusal; CONFLICT when the rows stay locked; STORAGE */
    public <T> T change(Function<SessionLedger.Stores, T> step) {
        return retried(() -> ledger.change(step));
    }

    /** @throws BerthException STORAGE */
    public <T> T read(Function<SessionLedger.Stores, T> query) {
        return retried(() -> ledger.read(query));
    }

    private static <T> T retried(Supplier<T> transaction) {
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
                    throw new BerthException(
                            ProblemCode.CONFLICT, "the session is being changed by others; try again", e);
                }
            }
        }
    }
}
