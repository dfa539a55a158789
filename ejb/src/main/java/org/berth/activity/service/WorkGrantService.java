package org.berth.activity.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.berth.access.Caller;
import org.berth.activity.ActivityGrants;
import org.berth.activity.SecretToken;
import org.berth.activity.WorkGrant;
import org.berth.activity.WorkGrants;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Work grants: launches and operators issue them; the newest of a name alone holds. */
@ApplicationScoped
public class WorkGrantService implements WorkGrants {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int MAX_RIGS = 20;

    @Inject
    private WorkGrantLedger ledger;

    @Inject
    private Clock clock;

    @Override
    public ActivityGrants.Issued issue(String name, String seat, List<String> rigs, String issuedBy) {
        if (rigs.size() > MAX_RIGS) {
            throw BerthException.invalid("a work grant reaches at most " + MAX_RIGS + " rigs");
        }
        String token = SecretToken.issue(RANDOM, SecretToken.WORK);
        WorkGrant grant = Contention.again(() -> ledger.replace(new WorkGrant(
                "work-" + UUID.randomUUID(), name, SecretToken.hash(token), seat, rigs, issuedBy, now(), null, null)));
        return new ActivityGrants.Issued(grant.grantId(), token);
    }

    @Override
    public void revoke(String name, String reason) {
        ledger.revoke(name, now(), reason);
    }

    /** As {@link #issue(String, String, List, String)}, for an operator. @throws BerthException FORBIDDEN, INVALID */
    public ActivityGrants.Issued issue(Caller caller, String name, String seat, List<String> rigs) {
        Operators.require(caller, "issues work grants");
        return issue(name, seat, rigs, caller.ownerId());
    }

    /** The grant as it is afterwards. @throws BerthException FORBIDDEN, NOT_FOUND */
    public WorkGrant revoke(Caller caller, String name, String reason) {
        Operators.require(caller, "revokes work grants");
        return ledger.revoke(name, now(), reason)
                .orElseThrow(() -> BerthException.notFound("there is no such work grant"));
    }

    /** Newest first. @param seat null for any @throws BerthException FORBIDDEN */
    public List<WorkGrant> list(Caller caller, String seat, boolean includeEnded) {
        Operators.require(caller, "lists work grants");
        return ledger.list(seat, includeEnded);
    }

    /** Whose token it is, as stored now. @throws BerthException WORK_GRANT_REVOKED, for an unknown one too */
    public WorkGrant authenticate(String token) {
        Optional<WorkGrant> found =
                SecretToken.wellFormed(token) ? ledger.findByHash(SecretToken.hash(token)) : Optional.empty();
        return found.filter(WorkGrant::holds)
                .orElseThrow(() -> new BerthException(
                        ProblemCode.WORK_GRANT_REVOKED, "a work grant that holds is needed as the bearer token"));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
