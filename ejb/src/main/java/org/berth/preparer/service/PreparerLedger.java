package org.berth.preparer.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.berth.placement.Attempt;
import org.berth.placement.Evidence;
import org.berth.placement.store.AttemptRepository;
import org.berth.placement.store.PreparerStateRepository;
import org.berth.preparer.PreparerPhase;
import org.berth.preparer.PreparerPlan;
import org.berth.preparer.PreparerState;
import org.berth.problem.BerthException;

/** The transaction border of preparers' plans: a phase and its evidence are one commit. Nothing external happens inside. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class PreparerLedger {
    @Inject
    private AttemptRepository attempts;

    @Inject
    private PreparerStateRepository states;

    /** For the container. */
    public PreparerLedger() {}

    PreparerLedger(AttemptRepository attempts, PreparerStateRepository states) {
        this.attempts = attempts;
        this.states = states;
    }

    /**
     * Records the plans with {@code evidence}; plans that are recorded already are answered as they are.
     *
     * @throws BerthException INVALID, CONFLICT as {@link PreparerStateRepository#record}; NOT_FOUND
     */
    public List<PreparerState> record(
            String attemptId, List<PreparerPlan> plans, List<Evidence> evidence, Instant now) {
        Attempt attempt = locked(attemptId);
        boolean fresh = states.find(attemptId).isEmpty();
        List<PreparerState> recorded = states.record(attemptId, plans, now);
        if (fresh) {
            attempts.save(attempt, evidence);
        }
        return recorded;
    }

    /**
     * Moves a plan on, with {@code evidence}.
     *
     * @return false when somebody else settled it before; then nothing is recorded
     * @throws BerthException NOT_FOUND
     */
    public boolean mark(PreparerState state, PreparerPhase phase, String reason, List<Evidence> evidence, Instant now) {
        Attempt attempt = locked(state.attemptId());
        boolean marked = states.mark(state.attemptId(), state.position(), phase, reason, now);
        if (marked && !evidence.isEmpty()) {
            attempts.save(attempt, evidence);
        }
        return marked;
    }

    /** The recorded plans in their order, without a lock. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public List<PreparerState> find(String attemptId) {
        return states.find(attemptId);
    }

    /** Puts an attempt that could not be settled behind the others. */
    public void touch(String attemptId, Instant now) {
        states.touch(attemptId, now);
    }

    /** Ended attempts whose plans wait for a cleanup. */
    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public List<Attempt> outstanding(String hostId, int bound) {
        return states.outstanding(hostId, bound).stream()
                .map(attempts::find)
                .flatMap(Optional::stream)
                .toList();
    }

    private Attempt locked(String attemptId) {
        return attempts.lock(attemptId).orElseThrow(() -> BerthException.notFound("there is no such attempt"));
    }
}
