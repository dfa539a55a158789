package org.berth.event.service;

import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.berth.access.Caller;
import org.berth.access.service.TokenRevoked;
import org.berth.access.service.TokenService;
import org.berth.event.store.EventRepository;
import org.berth.event.store.StoredEvent;
import org.berth.persistence.Jdbc;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.Seats;

/**
 * Gives committed events to every client: one dispatcher, which runs when a transaction with events ends or a client
 * takes more, and holds no thread while there is nothing to give. Clients at the same place share one read. Keeps the
 * newest events only.
 */
@ApplicationScoped
public class EventFeed {
    /** How long a client has to resume without a loss, in events. Source: about an hour of a busy host. */
    static final int KEPT = 100_000;

    /** Connections at once. */
    static final int MAX_CLIENTS = 256;

    private static final int PAGE = 200;
    private static final int PRUNE_EVERY = 2_000;
    private static final int BEAT_SECONDS = 10;
    private static final Logger LOG = Logger.getLogger(EventFeed.class.getName());

    @Resource(lookup = "java:jboss/datasources/BerthDS")
    private DataSource source;

    @Resource
    private ManagedScheduledExecutorService executor;

    @Inject
    private EventRepository events;

    @Inject
    private EventOutbox outbox;

    @Inject
    private TokenService tokens;

    private final Set<EventClient> clients = ConcurrentHashMap.newKeySet();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicBoolean pruning = new AtomicBoolean();
    private volatile long pruned;
    private ScheduledFuture<?> beats;

    /** The id from which a client that asks for no earlier ones begins. */
    public long now() {
        return outbox.horizon() - 1;
    }

    /** @throws BerthException UNAVAILABLE when there are too many clients */
    public synchronized void join(EventClient client) {
        if (clients.size() >= MAX_CLIENTS) {
            throw new BerthException(
                    ProblemCode.UNAVAILABLE, "there are " + MAX_CLIENTS + " event streams; close one, or try later");
        }
        clients.add(client);
        if (beats == null) {
            beats = executor.scheduleWithFixedDelay(this::beat, BEAT_SECONDS, BEAT_SECONDS, TimeUnit.SECONDS);
        }
        wake();
    }

    public synchronized void leave(EventClient client) {
        clients.remove(client);
        if (clients.isEmpty() && beats != null) {
            beats.cancel(false);
            beats = null;
        }
    }

    void committed(@Observes EventsCommitted committed) {
        long horizon = outbox.horizon();
        if (!clients.isEmpty()) {
            wake();
        }
        if (horizon - pruned > PRUNE_EVERY && pruning.compareAndSet(false, true)) {
            pruned = horizon;
            run(() -> prune(horizon));
        }
    }

    void revoked(@Observes TokenRevoked revoked) {
        clients.stream()
                .filter(client -> client.caller().tokenId().equals(revoked.tokenId()))
                .forEach(EventClient::end);
    }

    /** There may be something to give: new events, or a client that takes more. Cheap; any thread. */
    public void wake() {
        if (asked.getAndIncrement() == 0) {
            run(this::dispatch);
        }
    }

    private void run(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.log(Level.FINE, "the server is stopping", e);
        }
    }

    /** Runs until nobody asked during the last round. */
    private void dispatch() {
        int seen;
        do {
            seen = asked.get();
            try {
                while (round()) {
                    // Somebody was given something and may be ready for more.
                }
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "events could not be read; the next one tries again", e);
            }
        } while (!asked.compareAndSet(seen, 0));
    }

    private boolean round() {
        long horizon = outbox.horizon();
        Map<Long, List<StoredEvent>> pages = new HashMap<>();
        boolean gave = false;
        for (EventClient client : clients) {
            long after = client.position();
            if (after < horizon - 1 && client.ready()) {
                List<StoredEvent> page = pages.computeIfAbsent(after, from -> read(from, horizon));
                give(client, page, horizon);
                gave = true;
            }
        }
        return gave;
    }

    private List<StoredEvent> read(long after, long horizon) {
        return Jdbc.with(source, connection -> events.between(connection, after, horizon, PAGE));
    }

    private static void give(EventClient client, List<StoredEvent> page, long horizon) {
        long position = page.size() < PAGE ? horizon - 1 : page.getLast().eventId();
        List<EventClient.Event> visible = new ArrayList<>();
        for (StoredEvent event : page) {
            if (sees(client.caller(), event)) {
                visible.add(EventClient.Event.of(event));
            }
        }
        client.deliver(visible, position);
    }

    private static boolean sees(Caller caller, StoredEvent event) {
        return caller.isOperator() || event.rigs().contains(Seats.rigOf(caller.seat()));
    }

    /** The lowest id that is kept; 0 when there is none. */
    public long oldest() {
        return Jdbc.with(source, events::bounds)[0];
    }

    private void prune(long horizon) {
        try {
            Jdbc.with(source, connection -> events.prune(connection, horizon - KEPT));
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "old events could not be removed; it is tried again", e);
        } finally {
            pruning.set(false);
        }
    }

    private void beat() {
        for (EventClient client : clients) {
            if (tokens.holds(client.caller().tokenId())) {
                client.beat();
            } else {
                client.end();
            }
        }
    }

    @PreDestroy
    void stop() {
        clients.forEach(EventClient::end);
    }
}
