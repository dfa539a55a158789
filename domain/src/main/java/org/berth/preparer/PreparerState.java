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
        String attemptId, int position, PreparerPlan plan, PreparerPhase phase, String reason, Instant updatedAt) {
    /** The longest reason that is recorded. An own choice: a sentence with a path. */
    public static final int MAX_REASON_CHARS = 400;

    /** {@code reason} as it is recorded: cut where it is longer; null stays null. */
    public static String recordable(String reason) {
        return reason == null || reason.length() <= MAX_REASON_CHARS
                ? reason
                : reason.substring(0, MAX_REASON_CHARS - 1) + "…";
    }
}
