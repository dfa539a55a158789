package org.berth.startup.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.Optional;
import org.berth.placement.Attempt;
import org.berth.placement.ExecutionState;
import org.berth.placement.store.AttemptRepository;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.Occupant;
import org.berth.rig.Occupants;
import org.berth.rig.RigDirectory;
import org.berth.rig.store.OccupantRepository;
import org.berth.rig.store.RigRepository;
import org.berth.startup.MemberCommand;

/**
 * The transaction border of members that are commands: one occupant generation has one attempt, whose id stands on the
 * generation before anything is started. Its native id is recorded once the attempt was started.
 */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class MemberLedger {
    private static final String ATTEMPT = "member-";

    @Inject
    private RigRepository rigs;

    @Inject
    private OccupantRepository occupants;

    @Inject
    private AttemptRepository attempts;

    @Inject
    private RigDirectory directory;

    @Inject
    private Occupants identities;

    /**
     * A generation and the attempt that is to run it.
     *
     * @param attempt as it is recorded now; null while it is not prepared
     */
    public record Claim(String generation, String attemptId, Attempt attempt) {}

    /**
     * The node's current generation while its attempt is not over, else a new one. Callers at the same time get the same
     * answer.
     *
     * @throws BerthException seat_missing
     */
    public Claim claim(String nodeId) {
        if (!rigs.lockNode(nodeId)) {
            throw new BerthException(ProblemCode.SEAT_MISSING, "There is no such node.");
        }
        return occupants.current(nodeId).flatMap(this::live).orElseGet(() -> fresh(nodeId));
    }

    /** The attempt of the node's current generation, unless it has exited. */
    public Optional<Attempt> running(String nodeId) {
        return occupants.current(nodeId).flatMap(this::live).map(Claim::attempt);
    }

    /** The attempt was started; from now on its absence means that its retention is over. */
    public void started(String nodeId, Claim claim) {
        identities.identify(nodeId, claim.generation(), null, null, claim.attemptId());
    }

    private Optional<Claim> live(Occupant current) {
        if (!MemberCommand.RUNTIME.equals(current.nativeType()) || current.sessionId() == null) {
            return Optional.empty();
        }
        Attempt attempt = attempts.find(current.sessionId()).orElse(null);
        boolean over = attempt == null ? current.nativeId() != null : attempt.executionState() == ExecutionState.EXITED;
        return over ? Optional.empty() : Optional.of(new Claim(current.generation(), current.sessionId(), attempt));
    }

    private Claim fresh(String nodeId) {
        String generation = directory.reserve(nodeId, null);
        directory.register(nodeId, generation);
        String attemptId = ATTEMPT + generation;
        identities.identify(nodeId, generation, attemptId, MemberCommand.RUNTIME, null);
        return new Claim(generation, attemptId, null);
    }
}
