package org.berth.placement.service;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Attempts whose spawn this server is about to order, or whose answer it awaits: recovery and reconciliation leave them
 * alone. Several requests may start one attempt at the same time; it is under way until the last of them is over, since
 * one that found the claim taken says nothing about the one that holds it. Safe for any thread.
 */
final class StartsUnderWay {
    private final ConcurrentMap<String, Integer> requests = new ConcurrentHashMap<>();

    void begin(String attemptId) {
        requests.merge(attemptId, 1, Integer::sum);
    }

    /** Once for each {@link #begin}. */
    void end(String attemptId) {
        requests.computeIfPresent(attemptId, (id, count) -> count == 1 ? null : count - 1);
    }

    boolean contains(String attemptId) {
        return requests.containsKey(attemptId);
    }
}
