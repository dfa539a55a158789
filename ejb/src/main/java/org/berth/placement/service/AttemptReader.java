package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.access.Caller;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.placement.ExecutionState;
import org.berth.placement.store.AttemptFilter;
import org.berth.placement.store.AttemptRepository;
import org.berth.problem.BerthException;

/** Reads attempts on behalf of a caller: an owner finds his own, an operator all. */
@ApplicationScoped
public class AttemptReader {
    @Inject
    private Host host;

    @Inject
    private AttemptRepository attempts;

    /** @throws BerthException NOT_FOUND, also for an attempt that is another owner's */
    public Attempt visible(Caller caller, String attemptId) {
        return attempts.find(attemptId)
                .filter(attempt -> caller.mayActFor(attempt.ownerId()))
                .orElseThrow(() -> BerthException.notFound("there is no attempt " + quoted(attemptId) + " of yours"));
    }

    /**
     * As {@link #visible}, for what only the attempt's own host can do.
     *
     * @throws BerthException NOT_FOUND, or what {@link Host#requireOurs} says
     */
    public Attempt ours(Caller caller, String attemptId) {
        Attempt attempt = visible(caller, attemptId);
        host.requireOurs(attempt);
        return attempt;
    }

    /** Newest first. */
    public List<Attempt> page(Caller caller, ExecutionState state, String owner, String after, int limit) {
        String visibleOwner = caller.isOperator() ? owner : caller.ownerId();
        if (!caller.isOperator() && owner != null && !owner.equals(caller.ownerId())) {
            return List.of();
        }
        if (after != null) {
            visible(caller, after);
        }
        return attempts.page(new AttemptFilter(state, visibleOwner, after, limit));
    }

    /** Rows with a sequence above {@code after}, in order. */
    public List<Evidence> evidence(Caller caller, String attemptId, long after, int limit) {
        visible(caller, attemptId);
        return attempts.evidence(attemptId, after, limit);
    }

    /** Whether a row of this kind is recorded. */
    boolean hasEvidence(String attemptId, EvidenceKind kind) {
        return attempts.hasEvidence(attemptId, kind);
    }

    /** The attempts of one action of one owner on the host whose exit is not recorded, oldest first. */
    public List<Attempt> unfinished(String hostId, String ownerId, String actionId) {
        return attempts.unfinished(hostId, ownerId, actionId);
    }

    /** The attempts of one action of one owner on the host whose exit is recorded, newest first. @param limit at least 1 */
    public List<Attempt> exited(String hostId, String ownerId, String actionId, int limit) {
        return attempts.exited(hostId, ownerId, actionId, limit);
    }

    /** All attempts on the host that have not exited or are not cleaned up, oldest first. On behalf of the server itself. */
    public List<Attempt> unfinished(String hostId) {
        return attempts.unfinished(hostId);
    }

    /** On behalf of the server itself. */
    public Optional<Attempt> find(String attemptId) {
        return attempts.find(attemptId);
    }

    /** One cheap read, to see whether the database answers. */
    public void ping() {
        attempts.find("");
    }

    /** How many attempts are in each state. */
    public Map<ExecutionState, Long> counts() {
        return attempts.counts();
    }

    private static String quoted(String id) {
        return "'" + (id.length() > 160 ? id.substring(0, 160) + "…" : id) + "'";
    }
}
