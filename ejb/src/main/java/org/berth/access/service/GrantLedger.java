package org.berth.access.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.berth.placement.ResourceGrant;
import org.berth.placement.store.ResourceGrantRepository;

/** The transaction border of resource grants. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class GrantLedger {
    @Inject
    private ResourceGrantRepository grants;

    public ResourceGrant insert(ResourceGrant grant) {
        return grants.insert(grant);
    }

    public List<ResourceGrant> list(String owner, boolean includeEnded) {
        return grants.list(owner, includeEnded);
    }

    /** The grant as it is afterwards; empty when there is none. One that was revoked before keeps its time. */
    public Optional<ResourceGrant> revoke(String grantRef, Instant at) {
        grants.revoke(grantRef, at);
        return grants.find(grantRef);
    }
}
