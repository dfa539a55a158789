package org.berth.harness.session;

import java.time.Instant;
import java.util.Objects;

/**
 * One node of a session's tree; never changed. A fork takes entries over with their ids and sequences.
 *
 * @param sequence its place in the order of commits, from 1; never used again in its session
 * @param entryId unique within its session
 * @param parentId the entry that it was appended to; null at the root
 * @param kind the caller's word for what it holds
 * @param bodyJson a JSON object
 */
public record Entry(
        String sessionId,
        long sequence,
        String entryId,
        String parentId,
        String kind,
        String bodyJson,
        Instant createdAt) {
    /** @throws IllegalArgumentException for a sequence below 1 */
    public Entry {
        Objects.requireNonNull(sessionId);
        Objects.requireNonNull(entryId);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(bodyJson);
        Objects.requireNonNull(createdAt);
        if (sequence < 1) {
            throw new IllegalArgumentException("entries are counted from 1: " + sequence);
        }
    }
}
