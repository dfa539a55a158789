package org.berth.environment.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.function.Function;
import org.berth.environment.store.EnvironmentRepository;

/** The transaction border of bindings and their journal: one step, one commit. Nothing external happens inside. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class EnvironmentLedger {
    @Inject
    private EnvironmentRepository store;

    /** Runs {@code step} in a transaction of its own; what it throws undoes it. */
    public <T> T change(Function<EnvironmentRepository, T> step) {
        return step.apply(store);
    }

    /** Runs {@code query} without a transaction of its own. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public <T> T read(Function<EnvironmentRepository, T> query) {
        return query.apply(store);
    }
}
