package org.berth.placement.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.berth.placement.Attempt;
import org.berth.placement.store.AttemptRepository;

/** The transaction border of attempts, for {@link SharedCommits}. Nothing external happens inside. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class AttemptLedger {
    @Inject
    private AttemptRepository attempts;

    /** Runs the writes one after the other in one transaction. What one throws undoes all. */
    public List<Object> together(List<? extends Function<AttemptRepository, ?>> writes) {
        List<Object> answers = new ArrayList<>(writes.size());
        writes.forEach(write -> answers.add(write.apply(attempts)));
        return answers;
    }

    /** The recorded attempt, without a lock. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public Optional<Attempt> find(String attemptId) {
        return attempts.find(attemptId);
    }
}
