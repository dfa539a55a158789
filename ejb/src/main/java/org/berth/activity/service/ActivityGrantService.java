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
import org.berth.activity.ActivityGrant;
import org.berth.activity.ActivityGrants;
import org.berth.activity.GrantRules;
import org.berth.activity.SecretToken;
import org.berth.problem.BerthException;

/** Activity grants: launches and operators issue them; the newest of a seat alone holds. */
@ApplicationScoped
public class ActivityGrantService implements ActivityGrants {
    private static final SecureRandom RANDOM = new SecureRandom();

    @Inject
    private ActivityGrantLedger ledger;

    @Inject
    private Clock clock;

    @Override
    public Issued issue(String nodeId, String generation, String issuedBy) {
        String token = SecretToken.issue(RANDOM, SecretToken.ACTIVITY);
        ActivityGrant grant = Contention.again(() -> ledger.replace(new ActivityGrant(
                "activity-" + UUID.randomUUID(),
                SecretToken.hash(token),
                nodeId,
                generation,
                issuedBy,
                now(),
                null,
                null)));
        return new Issued(grant.grantId(), token);
    }

    @Override
    public void revoke(String grantId, String reason) {
        ledger.revoke(grantId, now(), reason);
    }

    /** As {@link #issue(String, String, String)}, for an operator. @throws BerthException FORBIDDEN */
    public Issued issue(Caller caller, String nodeId, String generation) {
        Operators.require(caller, "issues activity grants");
        return issue(nodeId, generation, caller.ownerId());
    }

    /** The grant as it is afterwards. @throws BerthException FORBIDDEN, NOT_FOUND */
    public ActivityGrant revoke(Caller caller, String grantId, String reason) {
        Operators.require(caller, "revokes activity grants");
        return ledger.revoke(grantId, now(), reason)
                .orElseThrow(() -> BerthException.notFound("there is no such activity grant"));
    }

    /** Newest first. @param nodeId null for any @throws BerthException FORBIDDEN */
    public List<ActivityGrant> list(Caller caller, String nodeId, boolean includeEnded) {
        Operators.require(caller, "lists activity grants");
        return ledger.list(nodeId, includeEnded);
    }

    /**
     * Whose token it is, as stored now.
     *
     * @throws BerthException ACTIVITY_GRANT_UNKNOWN, ACTIVITY_GRANT_REVOKED
     */
    public ActivityGrant authenticate(String token) {
        return GrantRules.authenticate(
                SecretToken.wellFormed(token) ? ledger.findByHash(SecretToken.hash(token)) : Optional.empty());
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
