package org.berth.placement.service;

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
import org.berth.persistence.DatabaseCompaction;
import org.berth.placement.Attempt;
import org.berth.placement.Sweep;

/**
 * One sweep: the live attempts that were swept longest ago, at most the policy's bound, are reconciled side by side,
 * whoever owns them; so that a revoked grant stops an attempt within a bound. Source: placement.md, Supervision.
 */
@ApplicationScoped
public class SweepService implements Sweep {
    private static final Logger LOG = Logger.getLogger(SweepService.class.getName());

    /** How long one sweep may work on the database file. */
    private static final Duration COMPACTION = Duration.ofMillis(500);

    @Inject
    private Host host;

    @Inject
    private SweepLedger ledger;

    @Inject
    private ReconcileService reconciles;

    @Inject
    private OutstandingEnds ends;

    @Inject
    private LogRetention logs;

    @Inject
    private DatabaseCompaction compaction;

    @Inject
    private Clock clock;

    @Override
    public Outcome sweep() throws InterruptedException {
        HostPolicy.Sweep figures = host.policy().sweep();
        List<Attempt> due = ledger.due(host.hostId(), figures.bound());
        List<CompletableFuture<Attempt>> answers = new ArrayList<>(due.size());
        for (Attempt attempt : due) {
            answers.add(observe(attempt));
        }
        Instant deadline = clock.instant().plus(figures.reconcileTimeout());
        int failed = 0;
        for (CompletableFuture<Attempt> answer : answers) {
            try {
                long left =
                        Math.max(1, deadline.toEpochMilli() - clock.instant().toEpochMilli());
                answer.get(left, TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                failed++;
                LOG.log(Level.FINE, "a sweep could not reconcile an attempt", e);
            }
        }
        ledger.swept(due.stream().map(Attempt::attemptId).toList(), clock.instant());
        ends.settle();
        logs.removeExpired();
        compact();
        return new Outcome(due.size(), failed);
    }

    private void compact() {
        try {
            compaction.compact(COMPACTION);
        } catch (SQLException e) {
            LOG.log(Level.WARNING, "the database file could not be compacted", e);
        }
    }

    private CompletableFuture<Attempt> observe(Attempt attempt) {
        try {
            return reconciles
                    .reconcile(attempt)
                    .thenCompose(reconciles::repeatStop)
                    .toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
