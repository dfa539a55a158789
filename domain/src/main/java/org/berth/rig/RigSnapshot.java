package org.berth.rig;

import java.time.Instant;

/**
 * What is kept of a rig at one moment, by reference: it holds no secret and no conversation.
 *
 * @param kind {@code manual}, for one that somebody asked for
 * @param data the canonical JSON of nodes, bindings and startup inputs
 * @param createdBy the seat that asked for it
 */
public record RigSnapshot(
        String snapshotId,
        String rigId,
        String rigName,
        String kind,
        String data,
        String createdBy,
        Instant createdAt) {
    /** The kind of a snapshot that somebody asked for: {@value}. */
    public static final String MANUAL = "manual";
}
