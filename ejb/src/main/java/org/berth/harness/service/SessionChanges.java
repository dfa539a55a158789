package org.berth.harness.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.function.Function;
import java.util.function.Supplier;
import org.berth.placement.service.RetriedTransaction;
import org.berth.problem.BerthException;

/** Steps on sessions, repeated a bounded number of times when they lost a lock. */
@ApplicationScoped
public class SessionChanges {
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
        return RetriedTransaction.of(transaction, "the session is being changed by others; try again");
    }
}
