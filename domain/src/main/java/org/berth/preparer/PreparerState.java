package org.berth.preparer;

import java.time.Instant;

/**
 * A recorded plan of an attempt and how far it is.
 *
 * @param position its place among the attempt's plans, from 0
 * @param reason why it is retained or failed; null otherwise
 * @param updatedAt of its last phase
 */
public record PreparerState(
        String attemptId, int position, PreparerPlan plan, PreparerPhase phase, String reason, Instant updatedAt) {}
