package org.berth.placement.store;

import org.berth.placement.ExecutionState;

/**
 * Which attempts a page holds.
 *
 * @param state null for any
 * @param ownerId null for any
 * @param afterAttemptId the last attempt of the page before; null for the first page
 * @param limit 1..1000
 */
public record AttemptFilter(ExecutionState state, String ownerId, String afterAttemptId, int limit) {
    public AttemptFilter {
        if (limit < 1 || limit > 1000) {
            throw new IllegalArgumentException("a page has 1..1000 attempts: " + limit);
        }
    }
}
