package org.berth.process.adapter;

import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import org.berth.placement.ProcessEvent;
import org.berth.process.adapter.AdapterStatistics.Counter;
import org.berth.process.protocol.Frame;

/**
 * Brings journalled events to the one activated listener: in order per attempt, a bounded number of attempts at once,
 * each event again until its transaction committed, and only then acknowledged. Holds at most {@link #MAX_HELD} events;
 * what does not fit is asked for again when the rest is done, since the supervisor keeps it.
 */
final class EventDelivery {
    private static final Logger LOG = System.getLogger(EventDelivery.class.getName());

    /** Source: an own choice; some 16 MiB of small records. */
    static final int MAX_HELD = 65_536;

    /** Pause before events that were left out are asked for again, in milliseconds. Source: an own choice. */
    private static final long ASK_AGAIN_MILLIS = 1_000;

    /** What waits of one attempt, or of one supervisor's comings and goings. */
    private static final class Line {
        private final Queue<Delivery> waiting = new ArrayDeque<>();
        private long accepted;
        private long missing;
        private long recorded;
        private int failures;
        private boolean busy;
    }

    private final WorkThreads threads;
    private final Executor lanes;
    private final SupervisorSet set;
    private final AdapterStatistics statistics;
    private final Map<String, Line> lines = new HashMap<>();
    private final Set<SupervisorClient> subscribed = new HashSet<>();
    private ListenerEndpoint endpoint;
    private int held;
    private boolean leftOut;

    EventDelivery(WorkThreads threads, Executor lanes, SupervisorSet set, AdapterStatistics statistics) {
        this.threads = threads;
        this.lanes = lanes;
        this.set = set;
        this.statistics = statistics;
    }

    /** Answers false when another listener is active. */
    boolean activate(ListenerEndpoint listener) {
        synchronized (this) {
            if (endpoint != null) {
                return false;
            }
            endpoint = listener;
        }
        set.connectedSlots().map(slot -> slot.client).forEach(client -> {
            if (client != null) {
                subscribe(client);
            }
        });
        return true;
    }

    /** Nothing is delivered to {@code factory} after the calls that are under way now. */
    synchronized void deactivate(MessageEndpointFactory factory) {
        if (endpoint != null && endpoint.factory() == factory) {
            endpoint = null;
            lines.clear();
            subscribed.clear();
            held = 0;
            leftOut = false;
        }
    }

    /** Subscribes over a new connection, once. */
    void connected(SupervisorClient client) {
        subscribe(client);
    }

    private void subscribe(SupervisorClient client) {
        String incarnation = client.welcome().incarnation();
        synchronized (this) {
            if (endpoint == null || !subscribed.add(client)) {
                return;
            }
            add("supervisor " + incarnation, new Delivery.Connected(incarnation));
        }
        client.ask(new Frame.Subscribe(), Frame.Done.class, false).whenComplete((done, problem) -> {
            if (problem != null) {
                LOG.log(Level.WARNING, "A supervisor did not accept the subscription; the connection ends.", problem);
                client.close();
            }
        });
    }

    synchronized void lost(SupervisorClient client) {
        String incarnation = client.welcome().incarnation();
        if (subscribed.remove(client)) {
            add("supervisor " + incarnation, new Delivery.Lost(incarnation));
        }
    }

    void event(ProcessEvent event) {
        long recorded;
        synchronized (this) {
            if (endpoint == null) {
                return;
            }
            Line line = lines.computeIfAbsent(event.attemptKey(), k -> new Line());
            if (event.sequence() > line.accepted) {
                boolean gap = line.accepted > 0 && event.sequence() > line.accepted + 1;
                boolean late = line.missing > 0 && event.sequence() > line.missing;
                if (gap || late || held >= MAX_HELD) {
                    leaveOut(line, event.sequence());
                    return;
                }
                line.missing = 0;
                line.accepted = event.sequence();
                add(event.attemptKey(), new Delivery.Event(event));
                return;
            }
            recorded = line.recorded;
        }
        if (event.sequence() <= recorded) {
            acknowledge(event.attemptKey(), recorded);
        }
    }

    private void leaveOut(Line line, long sequence) {
        line.missing = line.missing == 0 ? sequence : Math.min(line.missing, sequence);
        if (!leftOut && held == 0) {
            threads.after(ASK_AGAIN_MILLIS, this::askAgain);
        }
        leftOut = true;
    }

    private void askAgain() {
        synchronized (this) {
            leftOut = false;
        }
        set.connectedSlots().forEach(slot -> {
            SupervisorClient client = slot.client;
            if (client != null) {
                client.ask(new Frame.Subscribe(), Frame.Done.class, false);
            }
        });
    }

    /** The attempt's records are dropped on both sides. */
    synchronized void forget(String attemptKey) {
        Line line = lines.get(attemptKey);
        if (line != null && line.waiting.isEmpty()) {
            lines.remove(attemptKey);
        }
    }

    private void add(String key, Delivery delivery) {
        Line line = lines.computeIfAbsent(key, k -> new Line());
        line.waiting.add(delivery);
        held++;
        if (!line.busy) {
            line.busy = true;
            schedule(key, line);
        }
    }

    private void schedule(String key, Line line) {
        lanes.execute(() -> deliver(key, line));
    }

    private void deliver(String key, Line line) {
        ListenerEndpoint listener;
        Delivery head;
        synchronized (this) {
            listener = endpoint;
            head = line.waiting.peek();
            if (listener == null || lines.get(key) != line) {
                return;
            }
        }
        try {
            listener.deliver(head);
        } catch (Exception e) {
            failed(key, line, listener, e);
            return;
        }
        if (head instanceof Delivery.Event event) {
            statistics.add(Counter.EVENTS_DELIVERED);
            synchronized (this) {
                line.recorded = event.event().sequence();
            }
            acknowledge(key, event.event().sequence());
        }
        finished(key, line);
    }

    private void failed(String key, Line line, ListenerEndpoint listener, Exception problem) {
        statistics.add(Counter.EVENT_RETRIES);
        long pause;
        synchronized (this) {
            pause = listener.pauseMillis(line.failures++);
        }
        LOG.log(
                Level.WARNING,
                "A delivery for {0} was not recorded; it comes again in {1} ms: {2}",
                key,
                Long.toString(pause),
                problem);
        LOG.log(Level.DEBUG, "Why the delivery was not recorded:", problem);
        threads.after(pause, () -> schedule(key, line));
    }

    private void finished(String key, Line line) {
        boolean again = false;
        synchronized (this) {
            if (lines.get(key) != line) {
                return;
            }
            line.failures = 0;
            line.waiting.remove();
            held--;
            if (line.waiting.isEmpty()) {
                line.busy = false;
                if (line.accepted == 0) {
                    lines.remove(key);
                }
                again = leftOut && held == 0;
            } else {
                schedule(key, line);
            }
        }
        if (again) {
            askAgain();
        }
    }

    private void acknowledge(String attemptKey, long sequence) {
        SupervisorClient client = set.connectedFor(attemptKey);
        if (client != null) {
            client.tell(new Frame.Recorded(attemptKey, sequence));
        }
    }
}
