package org.berth.rig;

import java.time.Instant;

/**
 * A stored rig.
 *
 * @param root absolute host directory of the rig's files; relative paths of its members are below it
 * @param specJson the canonical JSON of {@link RigSpec#tree}
 * @param specDigest its sha256, 64 lower-case hex digits
 * @param createdBy the owner id of who made it
 */
public record Rig(
        String rigId,
        String name,
        String root,
        String specJson,
        String specDigest,
        String createdBy,
        Instant createdAt) {}
