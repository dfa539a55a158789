package org.berth.event.service;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.time.Clock;
import javax.sql.DataSource;
import org.berth.event.Announcement;
import org.berth.event.Announcements;
import org.berth.event.store.EventRepository;
import org.berth.event.store.StoredEvent;
import org.berth.json.JsonText;
import org.berth.persistence.Jdbc;

/** Writes announcements into the caller's transaction and wakes the feed after its commit. */
@ApplicationScoped
public class EventOutbox implements Announcements {
    @Resource(lookup = "java:jboss/datasources/BerthDS")
    private DataSource source;

    @Resource(lookup = "java:jboss/TransactionSynchronizationRegistry")
    private TransactionSynchronizationRegistry transactions;

    @Inject
    private EventRepository events;

    @Inject
    private Event<EventsCommitted> committed;

    @Inject
    private Clock clock;

    private EventHorizon horizon;

    @PostConstruct
    void begin() {
        horizon = new EventHorizon(Jdbc.with(source, events::bounds)[1] + 1);
    }

    /** Every event with a lower id is committed, or never will be. */
    public long horizon() {
        return horizon.horizon();
    }

    @Override
    public void announce(Announcement announcement) {
        StoredEvent event = new StoredEvent(
                take(), announcement.type(), announcement.rigs(), JsonText.write(announcement.data()), clock.instant());
        Jdbc.with(source, connection -> {
            events.append(connection, event);
            return null;
        });
    }

    private long take() {
        Object transaction = transactions.getTransactionKey();
        if (transaction == null) {
            throw new IllegalStateException("an announcement needs a transaction");
        }
        if (!horizon.knows(transaction)) {
            // Registered first: a transaction that takes no synchronization must not hold the horizon back for ever.
            transactions.registerInterposedSynchronization(new AtEnd(transaction));
        }
        return horizon.take(transaction);
    }

    private final class AtEnd implements Synchronization {
        private final Object transaction;

        AtEnd(Object transaction) {
            this.transaction = transaction;
        }

        @Override
        public void beforeCompletion() {
            // The events are rows of the transaction already.
        }

        @Override
        public void afterCompletion(int status) {
            horizon.ended(transaction);
            // A rollback may have held back what others committed meanwhile.
            committed.fire(new EventsCommitted());
        }
    }
}
