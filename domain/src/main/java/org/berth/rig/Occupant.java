package org.berth.rig;

import java.time.Instant;

/**
 * The tenure of one generation of a node.
 *
 * @param sessionId the session that runs it; null while unknown
 * @param nativeType the native's type; null while unknown
 * @param nativeId the native's own id; null while unknown
 * @param registeredAt null while pending
 * @param replacedAt null unless stale
 */
public record Occupant(
        String nodeId,
        String generation,
        GenerationState state,
        String sessionId,
        String nativeType,
        String nativeId,
        Instant reservedAt,
        Instant registeredAt,
        Instant replacedAt) {}
