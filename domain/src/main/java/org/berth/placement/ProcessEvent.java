package org.berth.placement;

import java.time.Instant;
import java.util.Map;

/**
 * One journalled fact about an attempt, delivered until it is acknowledged, in order per attempt.
 *
 * @param attemptKey the attempt's key
 * @param nonce its private token
 * @param sequence per attempt, from 1, without a gap, across restarts of the supervisor
 * @param at when the supervisor observed it
 * @param kind what it becomes in the evidence
 * @param detail plain values for the evidence row; never output, input or a secret
 * @param exit the child's end; null unless {@code kind} is CHILD_EXITED
 */
public record ProcessEvent(
        String attemptKey,
        String nonce,
        long sequence,
        Instant at,
        EvidenceKind kind,
        Map<String, String> detail,
        Exit exit) {}
