package org.berth.event.service;

import java.util.HashMap;
import java.util.Map;

/**
 * Gives events their ids and knows below which id every transaction has ended, so that a reader that follows the ids
 * never passes over an event that commits late. Holds for the one server of a database.
 */
final class EventHorizon {
    private final Map<Object, Long> open = new HashMap<>();
    private long next;

    /** @param first the id after the highest that is stored */
    EventHorizon(long first) {
        this.next = first;
    }

    /** Whether {@code transaction} has taken an id before. */
    synchronized boolean knows(Object transaction) {
        return open.containsKey(transaction);
    }

    /** The next id, which holds the horizon back until {@link #ended}. */
    synchronized long take(Object transaction) {
        open.putIfAbsent(transaction, next);
        next++;
        return next - 1;
    }

    /** The transaction committed or rolled back. */
    synchronized void ended(Object transaction) {
        open.remove(transaction);
    }

    /** Every event with a lower id is committed, or never will be. */
    synchronized long horizon() {
        long horizon = next;
        for (long first : open.values()) {
            horizon = Math.min(horizon, first);
        }
        return horizon;
    }
}
