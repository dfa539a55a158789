package org.berth.event.rest;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.access.Caller;
import org.berth.event.service.EventClient;
import org.berth.event.service.EventFeed;
import org.berth.json.JsonText;

/**
 * One client's stream. What waits for the client is bounded; a client that takes nothing for {@link #PATIENCE} while
 * something waits is disconnected. Writes without blocking, from the feed's thread or the container's, under its own
 * lock.
 */
final class EventConnection implements EventClient, WriteListener {
    /** How long a client may take nothing. Source: three signs of life. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int MAX_WAITING_BYTES = 256 * 1024;
    private static final byte[] BEAT = ": \n\n".getBytes(StandardCharsets.UTF_8);
    private static final Logger LOG = Logger.getLogger(EventConnection.class.getName());

    private final Caller caller;
    private final EventTypes types;
    private final EventFeed feed;
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private volatile long position;
    private AsyncContext context;
    private ServletOutputStream out;
    private boolean open;
    private boolean unflushed;
    private boolean ended;
    private int waitingBytes;
    private long progress = System.nanoTime();

    EventConnection(Caller caller, EventTypes types, long position, EventFeed feed) {
        this.caller = caller;
        this.types = types;
        this.position = position;
        this.feed = feed;
        add(BEAT);
    }

    /** Ids below {@code oldest} that the client has not seen were removed. */
    synchronized void missed(long oldest) {
        add(("event: events.missed\ndata: {\"oldest\":" + oldest + "}\n\n").getBytes(StandardCharsets.UTF_8));
    }

    void start(AsyncContext async) throws IOException {
        async.setTimeout(0);
        boolean gone;
        synchronized (this) {
            context = async;
            out = async.getResponse().getOutputStream();
            gone = ended;
        }
        if (gone) {
            async.complete();
        } else {
            out.setWriteListener(this);
        }
    }

    @Override
    public Caller caller() {
        return caller;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public synchronized boolean ready() {
        return open && !ended && waitingBytes < MAX_WAITING_BYTES;
    }

    @Override
    public void deliver(List<Event> page, long reached) {
        synchronized (this) {
            position = reached;
            for (Event event : page) {
                if (types.include(event.type())) {
                    add(text(event).getBytes(StandardCharsets.UTF_8));
                }
            }
        }
        pump();
    }

    private static String text(Event event) {
        return "id: " + event.id() + "\nevent: " + event.type() + "\ndata: {\"id\":" + event.id() + ",\"type\":"
                + JsonText.write(event.type()) + ",\"at\":" + JsonText.write(event.at()) + ",\"data\":"
                + event.data() + "}\n\n";
    }

    private void add(byte[] bytes) {
        waiting.add(bytes);
        waitingBytes += bytes.length;
    }

    @Override
    public void onWritePossible() {
        synchronized (this) {
            open = true;
        }
        pump();
        feed.wake();
    }

    private void pump() {
        boolean failed = false;
        synchronized (this) {
            if (!open || ended) {
                return;
            }
            try {
                while (!waiting.isEmpty() && out.isReady()) {
                    byte[] next = waiting.remove();
                    waitingBytes -= next.length;
                    out.write(next);
                    unflushed = true;
                    progress = System.nanoTime();
                }
                if (unflushed && waiting.isEmpty() && out.isReady()) {
                    unflushed = false;
                    out.flush();
                }
            } catch (IOException | IllegalStateException e) {
                LOG.log(Level.FINE, "an event stream's client is gone", e);
                failed = true;
            }
        }
        if (failed) {
            end();
        }
    }

    @Override
    public void beat() {
        boolean stuck;
        synchronized (this) {
            stuck = !waiting.isEmpty() && System.nanoTime() - progress > PATIENCE.toNanos();
            if (!stuck && waiting.isEmpty()) {
                add(BEAT);
                progress = System.nanoTime();
            }
        }
        if (stuck) {
            LOG.info("an event stream was closed: its client took nothing for " + PATIENCE.toSeconds() + " s");
            end();
        } else {
            pump();
        }
    }

    @Override
    public void end() {
        feed.leave(this);
        AsyncContext started;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            waiting.clear();
            waitingBytes = 0;
            started = context;
        }
        if (started != null) {
            try {
                started.complete();
            } catch (IllegalStateException e) {
                LOG.log(Level.FINE, "an event stream was already complete", e);
            }
        }
    }

    @Override
    public void onError(Throwable failure) {
        LOG.log(Level.FINE, "an event stream's client is gone", failure);
        end();
    }
}
