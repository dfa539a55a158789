package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.berth.placement.ProcessEvent;

/**
 * Lets events that overtake the record of their child's start wait for it, so that one commit records both and nothing
 * of the start is missing from the evidence. An event that waited in vain is recorded by itself. Safe for any thread.
 */
@ApplicationScoped
public class StartReceipts {
    /** Milliseconds that an event waits at most. Source: an own choice; well above a commit, below what a person notices. */
    private static final long MOST_WAIT_MILLIS = 250;

    private static final class Slot {
        private final String nonce;
        private final List<ProcessEvent> waiting = new ArrayList<>();
        private final CompletableFuture<Boolean> recorded = new CompletableFuture<>();
        private boolean taken;

        Slot(String nonce) {
            this.nonce = nonce;
        }
    }

    private final long mostWaitMillis;

    /** By attempt key. */
    private final ConcurrentHashMap<String, Slot> slots = new ConcurrentHashMap<>();

    public StartReceipts() {
        this(MOST_WAIT_MILLIS);
    }

    StartReceipts(long mostWaitMillis) {
        this.mostWaitMillis = mostWaitMillis;
    }

    /** The spawn of an attempt is about to be ordered. {@link #close} must follow. */
    void open(String attemptKey, String nonce) {
        slots.put(attemptKey, new Slot(nonce));
    }

    /** Answers true once the event is committed with its start; false when it must be recorded by itself. */
    boolean join(ProcessEvent event) {
        Slot slot = slots.get(event.attemptKey());
        if (slot == null || !slot.nonce.equals(event.nonce())) {
            return false;
        }
        synchronized (slot) {
            if (slot.taken) {
                return false;
            }
            slot.waiting.add(event);
        }
        return slot.recorded
                .copy()
                .completeOnTimeout(false, mostWaitMillis, TimeUnit.MILLISECONDS)
                .join();
    }

    /** The events that wait, in their order; none joins them from now on. */
    List<ProcessEvent> take(String attemptKey) {
        Slot slot = slots.get(attemptKey);
        if (slot == null) {
            return List.of();
        }
        synchronized (slot) {
            slot.taken = true;
            return List.copyOf(slot.waiting);
        }
    }

    /** What was taken is committed. */
    void recorded(String attemptKey) {
        Slot slot = slots.get(attemptKey);
        if (slot != null) {
            slot.recorded.complete(true);
        }
    }

    /** The start is over, however it ended. */
    void close(String attemptKey) {
        Slot slot = slots.remove(attemptKey);
        if (slot != null) {
            slot.recorded.complete(false);
        }
    }
}
