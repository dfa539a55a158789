package org.berth.activity.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.berth.activity.ActivityGrant;
import org.berth.activity.WorkGrant;
import org.berth.activity.store.WorkGrantRepository;

/** The transaction border of work grants. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class WorkGrantLedger {
    @Inject
    private WorkGrantRepository grants;

    /** Ends the earlier grant of the name and records this one. */
    public WorkGrant replace(WorkGrant grant) {
        grants.revoke(grant.name(), grant.issuedAt(), ActivityGrant.REISSUED);
        return grants.insert(grant);
    }

    /** The name's newest grant as it is afterwards; one that ended before keeps its time and reason. */
    public Optional<WorkGrant> revoke(String name, Instant at, String reason) {
        grants.revoke(name, at, reason);
        return grants.find(name);
    }

    public List<WorkGrant> list(String seat, boolean includeEnded) {
        return grants.list(seat, includeEnded);
    }

    @TransactionAttribute(TransactionAttributeType.SUPPORTS)
    public Optional<WorkGrant> findByHash(String tokenHash) {
        return grants.findByHash(tokenHash);
    }
}
