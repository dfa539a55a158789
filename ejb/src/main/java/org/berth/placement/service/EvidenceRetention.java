package org.berth.placement.service;

import jakarta.ejb.EJBException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.problem.BerthException;

/**
 * Removes cleaned attempts with their evidence, and the batch runtime's ended executions, once the policy's retention is
 * over. What one look leaves, the next takes.
 */
@ApplicationScoped
public class EvidenceRetention {
    private static final Logger LOG = Logger.getLogger(EvidenceRetention.class.getName());
    /** Attempts in one transaction. */
    private static final int BATCH = 100;

    private static final int BATCHES = 50;

    /** Batch executions in one transaction. */
    private static final int EXECUTIONS = 500;

    @Inject
    private Host host;

    @Inject
    private SweepLedger ledger;

    @Inject
    private ProcessesGateway gateway;

    @Inject
    private Clock clock;

    /** Called by the one job of retention. @return how many attempts are gone */
    public int removeExpired() throws InterruptedException {
        Instant now = clock.instant();
        HostPolicy policy = host.policy();
        Instant before = now.minus(policy.evidenceRetention());
        int removed = 0;
        for (int i = 0; i < BATCHES; i++) {
            List<Attempt> expired = ledger.expired(host.hostId(), before, now, BATCH);
            List<String> forgotten = forget(expired, policy.sweep().reconcileTimeout());
            removed += ledger.removeExpired(host.hostId(), forgotten, before, now);
            if (expired.size() < BATCH || forgotten.isEmpty()) {
                break;
            }
        }
        removeExecutions(before);
        if (removed > 0) {
            LOG.info("the retention of evidence is over for " + removed + " attempts, which are removed");
        }
        return removed;
    }

    private void removeExecutions(Instant before) {
        try {
            int removed = EXECUTIONS;
            for (int i = 0; i < BATCHES && removed == EXECUTIONS; i++) {
                removed = ledger.removeExecutions(before, EXECUTIONS);
            }
        } catch (SQLException | EJBException e) {
            LOG.log(Level.WARNING, "old records of the batch runtime could not be removed", e);
        }
    }

    /** Those of which no supervisor keeps anything; a forget after the cleanup may have been lost. */
    private List<String> forget(List<Attempt> expired, Duration patience) throws InterruptedException {
        List<CompletableFuture<Void>> answers = new ArrayList<>(expired.size());
        expired.forEach(attempt -> answers.add(forget(attempt)));
        long deadline = System.nanoTime() + patience.toNanos();
        List<String> forgotten = new ArrayList<>(expired.size());
        for (int i = 0; i < expired.size(); i++) {
            try {
                answers.get(i).get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                forgotten.add(expired.get(i).attemptId());
            } catch (ExecutionException | TimeoutException e) {
                LOG.log(Level.FINE, "the supervisor has not forgotten an attempt that is over", e);
            }
        }
        return forgotten;
    }

    private CompletableFuture<Void> forget(Attempt attempt) {
        if (attempt.identity() == null) {
            return CompletableFuture.completedFuture(null);
        }
        try {
            return gateway.call(processes -> processes.forget(attempt.attemptKey(), attempt.nonce()))
                    .toCompletableFuture();
        } catch (BerthException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
