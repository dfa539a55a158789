package org.berth.harness.session;

import java.time.Instant;
import java.util.Objects;

/**
 * One of the two records of a tool call; never changed.
 *
 * @param callId unique within its session
 * @param bodyJson a JSON object: what was asked for, or all that the call reported
 */
public record CallRecord(String sessionId, String callId, CallStep step, String bodyJson, Instant createdAt) {
    public CallRecord {
        Objects.requireNonNull(sessionId);
        Objects.requireNonNull(callId);
        Objects.requireNonNull(step);
        Objects.requireNonNull(bodyJson);
        Objects.requireNonNull(createdAt);
    }
}
