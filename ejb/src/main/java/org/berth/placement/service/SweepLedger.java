package org.berth.placement.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.berth.persistence.BatchRecords;
import org.berth.placement.Attempt;
import org.berth.placement.store.AttemptRepository;
import org.berth.placement.store.ExpiredAttempts;

/** The transaction border of the sweep's own columns, and of what its retention removes. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class SweepLedger {
    @Inject
    private AttemptRepository attempts;

    @Inject
    private ExpiredAttempts expired;

    @Inject
    private BatchRecords batch;

    /** Live attempts, those swept longest ago first. */
    public List<Attempt> due(String hostId, int bound) {
        return attempts.oldestSwept(hostId, bound);
    }

    public void swept(Collection<String> attemptIds, Instant at) {
        if (!attemptIds.isEmpty()) {
            attempts.markSwept(attemptIds, at);
        }
    }

    /** Attempts that nothing needs any more, unchanged since {@code before}. */
    public List<Attempt> expired(String hostId, Instant before, Instant now, int bound) {
        return expired.find(hostId, before, now, bound);
    }

    /** Removes them with their evidence, in one transaction. @return how many were still expired */
    public int removeExpired(String hostId, Collection<String> attemptIds, Instant before, Instant now) {
        return expired.remove(hostId, attemptIds, before, now);
    }

    /** Removes records of the batch runtime. @return how many executions, at most {@code bound} */
    public int removeExecutions(Instant endedBefore, int bound) throws SQLException {
        return batch.remove(endedBefore, bound);
    }
}
