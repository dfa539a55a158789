package org.berth.harness.session;

import java.time.Instant;
import java.util.Objects;

/**
 * A committed document of a session's state tree; one for each type and key.
 *
 * @param type what it is of, for example {@code berth.job}
 * @param bodyJson a JSON object
 * @param afterEntry the sequence of the last entry that was committed before what it tells of; 0 for none
 */
public record StateDocument(
        String sessionId, String type, String key, String bodyJson, long afterEntry, Instant createdAt) {
    /** @throws IllegalArgumentException for a sequence below 0 */
    public StateDocument {
        Objects.requireNonNull(sessionId);
        Objects.requireNonNull(type);
        Objects.requireNonNull(key);
        Objects.requireNonNull(bodyJson);
        Objects.requireNonNull(createdAt);
        if (afterEntry < 0) {
            throw new IllegalArgumentException("no entry has the sequence " + afterEntry);
        }
    }
}
