package org.berth.placement;

import java.time.Instant;
import java.util.Map;

/**
 * One append-only fact about an attempt.
 *
 * @param sequence from 1, without a gap
 * @param at when it was observed
 * @param kind what it is
 * @param detail plain values (text, whole numbers, booleans, lists and maps of these); never output, input or a secret
 */
public record Evidence(long sequence, Instant at, EvidenceKind kind, Map<String, Object> detail) {
    /** A row that has no sequence yet; the store gives it the next one. */
    public static Evidence of(Instant at, EvidenceKind kind, Map<String, Object> detail) {
        return new Evidence(0, at, kind, Map.copyOf(detail));
    }
}
