package org.berth.activity.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.berth.activity.ActivityGrant;
import org.berth.activity.store.ActivityGrantRepository;

/** The transaction border of activity grants. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class ActivityGrantLedger {
    @Inject
    private ActivityGrantRepository grants;

    /** Ends the node's earlier grant and records this one. */
    public ActivityGrant replace(ActivityGrant grant) {
        grants.revokeHolder(grant.nodeId(), grant.issuedAt(), ActivityGrant.REISSUED);
        return grants.insert(grant);
    }

    /** The grant as it is afterwards; one that ended before keeps its time and reason. */
    public Optional<ActivityGrant> revoke(String grantId, Instant at, String reason) {
        grants.revoke(grantId, at, reason);
        return grants.find(grantId);
    }

    public List<ActivityGrant> list(String nodeId, boolean includeEnded) {
        return grants.list(nodeId, includeEnded);
    }

    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public Optional<ActivityGrant> findByHash(String tokenHash) {
        return grants.findByHash(tokenHash);
    }
}
