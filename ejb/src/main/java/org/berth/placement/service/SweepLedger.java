package org.berth.placement.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.berth.placement.Attempt;
import org.berth.placement.store.AttemptRepository;

/** The transaction border of the sweep's own columns. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class SweepLedger {
    @Inject
    private AttemptRepository attempts;

    /** Live attempts, those swept longest ago first. */
    public List<Attempt> due(String hostId, int bound) {
        return attempts.oldestSwept(hostId, bound);
    }

    public void swept(Collection<String> attemptIds, Instant at) {
        if (!attemptIds.isEmpty()) {
            attempts.markSwept(attemptIds, at);
        }
    }
}
