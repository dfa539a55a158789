package org.berth.placement.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.berth.placement.Attempt;
import org.berth.placement.Evidence;
import org.berth.placement.Step;
import org.berth.placement.store.AttemptRepository;
import org.berth.problem.BerthException;

/** The transaction border of attempts: one rule, one locked row, one commit. Nothing external happens inside. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class AttemptLedger {
    @Inject
    private AttemptRepository attempts;

    /** Records a new attempt. */
    public Attempt insert(Attempt attempt, List<Evidence> evidence) {
        return attempts.insert(attempt, evidence);
    }

    /** Locks the attempt, applies {@code rule} and records what it says. @throws BerthException NOT_FOUND */
    public Step change(String attemptId, Function<Attempt, Step> rule) {
        return apply(attempts.lock(attemptId), rule);
    }

    /** As {@link #change}; empty when there is no such attempt. */
    public Optional<Step> changeIfPresent(String attemptId, Function<Attempt, Step> rule) {
        return attempts.lock(attemptId).map(attempt -> apply(Optional.of(attempt), rule));
    }

    /** As {@link #changeIfPresent}, by the derived key, which takes a search. */
    public Optional<Step> changeByKey(String attemptKey, Function<Attempt, Step> rule) {
        return attempts.lockByKey(attemptKey).map(attempt -> apply(Optional.of(attempt), rule));
    }

    private Step apply(Optional<Attempt> locked, Function<Attempt, Step> rule) {
        Attempt current = locked.orElseThrow(() -> BerthException.notFound("there is no such attempt"));
        Step step = rule.apply(current);
        if (!step.changed()) {
            return step;
        }
        return new Step(attempts.save(step.attempt(), step.evidence()), true, step.evidence(), step.refusal());
    }

    /** The recorded attempt, without a lock. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public Optional<Attempt> find(String attemptId) {
        return attempts.find(attemptId);
    }
}
