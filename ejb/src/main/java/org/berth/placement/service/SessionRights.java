package org.berth.placement.service;

import jakarta.ejb.EJBException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.berth.access.Caller;
import org.berth.access.service.GrantLedger;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.AttemptKeys;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourceGrant;
import org.berth.placement.ResourcePurpose;
import org.berth.placement.store.ResourceGrantRepository;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * By which right an agent's run uses a retained home. Berth itself chooses and owns that directory, so nobody names it:
 * an operator's first run in a session issues the grant, one for each (owner, session_ref), which ends the session's use
 * when it is revoked. Source: placement.md, Resources; api.md, first start.
 */
@ApplicationScoped
public class SessionRights {
    /** What a resource is called that has no admitted root, or no grant. */
    private static final String NONE = "session";

    @Inject
    private Host host;

    @Inject
    private ResourceGrantRepository grants;

    @Inject
    private GrantLedger ledger;

    @Inject
    private Clock clock;

    /**
     * As a launch request's resource names it.
     *
     * @param missing what {@link #issue} records; null when nothing is missing
     */
    record Right(String grantRef, String rootRef, ResourceGrant missing) {}

    /**
     * Finds the right, changing nothing.
     *
     * @throws BerthException DENIED when there is none and the caller issues none
     */
    Right find(Caller caller, String ownerId, String sessionRef) {
        HostPolicy policy = host.policy();
        if (policy.resourceMode() == HostPolicy.ResourceMode.HOST_CONFIGURED) {
            return new Right(NONE, writableRoot(policy), null);
        }
        ResourceGrant own = own(caller, ownerId, AttemptKeys.session(ownerId, sessionRef));
        return granted(caller, own, grants.find(own.grantRef()).isPresent(), grants.list(ownerId, false));
    }

    /**
     * The right in mode granted.
     *
     * @param own the session's own grant
     * @param recorded whether it is recorded, even when it is revoked: then nothing takes its place
     * @param holding the owner's grants that hold
     */
    static Right granted(Caller caller, ResourceGrant own, boolean recorded, List<ResourceGrant> holding) {
        if (recorded) {
            return new Right(own.grantRef(), NONE, null);
        }
        if (caller.isOperator()) {
            return new Right(own.grantRef(), NONE, own);
        }
        return holding.stream()
                .filter(grant -> grant.purpose() == ResourcePurpose.SESSION
                        && grant.access() == ResourceAccess.WRITE
                        && grant.attemptId() == null)
                .findFirst()
                .map(grant -> new Right(grant.grantRef(), NONE, null))
                .orElseThrow(() -> denied("session_ref needs a grant of purpose session with access write, and you have"
                        + " none; an operator issues one, or runs the session's first turn with your owner_id"));
    }

    /** Records what is missing; another run may have done so at the same time. */
    void issue(Right right) {
        if (right.missing() == null) {
            return;
        }
        try {
            ledger.insert(right.missing());
        } catch (EJBException e) {
            if (grants.find(right.grantRef()).isEmpty()) {
                throw e;
            }
        }
    }

    private ResourceGrant own(Caller caller, String ownerId, String sessionKey) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return new ResourceGrant(
                "session-" + sessionKey,
                ownerId,
                host.layout().sessionHome(sessionKey).toString(),
                "",
                ResourceAccess.WRITE,
                ResourcePurpose.SESSION,
                null,
                caller.ownerId(),
                now,
                null,
                null);
    }

    /** The first admitted root that may be written. @throws BerthException DENIED */
    static String writableRoot(HostPolicy policy) {
        return policy.admittedRoots().entrySet().stream()
                .filter(root -> root.getValue().access() == ResourceAccess.WRITE)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> denied(
                        "session_ref needs an admitted root with access write, and this host's policy" + " has none"));
    }

    private static BerthException denied(String sentence) {
        return new BerthException(ProblemCode.DENIED, sentence);
    }
}
