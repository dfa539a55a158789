package org.berth.activity;

import java.time.Instant;

/**
 * One recorded hook post.
 *
 * @param eventId the place in the order of recording; 0 before it is recorded
 * @param generation the occupant generation it speaks for; null when the node had none
 * @param nativeSession the agent's own session id; null when the hook had none
 * @param state what it proves; null when it decides nothing
 * @param grantId null when the install-wide token posted it
 */
public record ActivityEvent(
        long eventId,
        String nodeId,
        String seat,
        String generation,
        String runtime,
        String hookEvent,
        String subtype,
        String nativeSession,
        ActivityState state,
        Instant occurredAt,
        Instant receivedAt,
        String grantId) {}
