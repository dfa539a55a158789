package org.berth.activity.service;

import jakarta.ejb.EJBException;
import jakarta.persistence.PersistenceException;
import java.util.function.Supplier;

/** Repeats a transaction that lost against another of the same seat or name. */
final class Contention {
    /** Each loser of a round meets the winner's committed row in the next. */
    private static final int TRIES = 5;

    private Contention() {}

    static <T> T again(Supplier<T> transaction) {
        for (int tried = 1; ; tried++) {
            try {
                return transaction.get();
            } catch (EJBException | PersistenceException e) {
                if (tried == TRIES) {
                    throw e;
                }
            }
        }
    }
}
