package org.berth.retention.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.logging.Logger;
import org.berth.environment.store.ExpiredOperations.Over;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.service.EvidenceRetention;
import org.berth.retention.Retention;

/** One look over attempts, operations and events, each in batches of its own transaction. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class RetentionService implements Retention {
    private static final Logger LOG = Logger.getLogger(RetentionService.class.getName());

    /** Operations in one transaction: their requests and receipts are read whole. */
    private static final int OPERATIONS = 100;

    /** Events in one transaction. */
    private static final int EVENTS = 1000;

    private static final int BATCHES = 100;

    @Inject
    private Host host;

    @Inject
    private RetentionLedger ledger;

    @Inject
    private EvidenceRetention evidence;

    @Inject
    private Clock clock;

    /** Where the last look stopped before the end. What is held must not keep what lies behind it for ever. */
    private Over resume;

    /** For the container, which injects. */
    public RetentionService() {}

    RetentionService(Host host, RetentionLedger ledger, EvidenceRetention evidence, Clock clock) {
        this.host = host;
        this.ledger = ledger;
        this.evidence = evidence;
        this.clock = clock;
    }

    @Override
    public Outcome removeExpired() throws InterruptedException {
        HostPolicy.Retention kept = host.policy().retention();
        int attempts = evidence.removeExpired();
        Instant now = clock.instant();
        int operations = operations(kept.operations(), now);
        int events = events(kept.events(), now);
        if (operations + events > 0) {
            LOG.info("the retention is over for " + operations + " operations and " + events
                    + " events, which are removed");
        }
        return new Outcome(attempts, operations, events);
    }

    private synchronized int operations(Duration kept, Instant now) {
        int removed = 0;
        if (kept != null) {
            for (int i = 0; i < BATCHES; i++) {
                RetentionLedger.Batch batch = ledger.removeOperations(now.minus(kept), resume, OPERATIONS, now);
                removed += batch.removed();
                resume = batch.last();
                if (resume == null) {
                    break;
                }
            }
        }
        return removed;
    }

    private int events(Duration kept, Instant now) {
        int removed = 0;
        if (kept != null) {
            int batch = EVENTS;
            for (int i = 0; i < BATCHES && batch == EVENTS; i++) {
                batch = ledger.removeEvents(now.minus(kept), EVENTS);
                removed += batch;
            }
        }
        return removed;
    }
}
