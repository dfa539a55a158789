package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.berth.placement.Attempt;
import org.berth.placement.Evidence;
import org.berth.placement.Step;
import org.berth.placement.store.AttemptRepository;
import org.berth.problem.BerthException;

/**
 * Records attempts and applies rules to them: one rule, one locked row, one commit, which others may share. Repeats a
 * transaction that lost a lock, a bounded number of times, and throws a rule's refusal once its evidence is committed.
 */
@ApplicationScoped
public class AttemptChanges {
    @Inject
    private SharedCommits commits;

    /**
     * Records a new attempt.
     *
     * @throws org.berth.placement.store.AttemptExistsException what is taken
     * @throws org.berth.placement.store.SessionHeldException when its session is
     * @throws BerthException STORAGE
     */
    public Attempt insert(Attempt attempt, List<Evidence> evidence) {
        return insert(attempt, evidence, null);
    }

    /** As {@link #insert(Attempt, List)}, with what the driver rendered as canonical JSON; null for nothing. */
    public Attempt insert(Attempt attempt, List<Evidence> evidence, String deliveryJson) {
        return retried(() -> commits.commit(store -> store.insert(attempt, evidence, deliveryJson)));
    }

    /** @throws BerthException the rule's refusal; NOT_FOUND; CONFLICT when the row stays locked; STORAGE */
    public Step apply(String attemptId, Function<Attempt, Step> rule) {
        Step step = retried(() -> commits.commit(store -> change(store, store.lock(attemptId), rule)))
                .orElseThrow(() -> BerthException.notFound("there is no such attempt"));
        if (step.refusal() != null) {
            throw step.refusal();
        }
        return step;
    }

    /** Empty when there is no such attempt; a refusal stays in the step. @throws BerthException CONFLICT, STORAGE */
    Optional<Step> applyIfPresent(String attemptId, Function<Attempt, Step> rule) {
        return retried(() -> commits.commit(store -> change(store, store.lock(attemptId), rule)));
    }

    /** As {@link #applyIfPresent}, by the derived key, which takes a search. */
    Optional<Step> applyByKey(String attemptKey, Function<Attempt, Step> rule) {
        return retried(() -> commits.commit(store -> change(store, store.lockByKey(attemptKey), rule)));
    }

    private static Optional<Step> change(
            AttemptRepository store, Optional<Attempt> locked, Function<Attempt, Step> rule) {
        return locked.map(rule)
                .map(step -> step.changed()
                        ? new Step(store.save(step.attempt(), step.evidence()), true, step.evidence(), step.refusal())
                        : step);
    }

    private static <T> T retried(Supplier<T> transaction) {
        return RetriedTransaction.of(transaction, "the attempt is being changed by others; read it and try again");
    }
}
