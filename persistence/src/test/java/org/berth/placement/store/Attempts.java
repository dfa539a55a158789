package org.berth.placement.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.berth.placement.Attempt;
import org.berth.placement.Capability;
import org.berth.placement.CleanupState;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.placement.ExecutionState;
import org.berth.placement.ExitObservation;
import org.berth.placement.ResolvedResource;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourcePurpose;

/** Attempts for tests. */
final class Attempts {
    static final Instant NOW = Instant.parse("2026-03-01T10:00:00.123456Z");

    private Attempts() {}

    static Attempt anAttempt(String id) {
        return anAttempt(id, "owner-1", "key-of-" + id, null, NOW);
    }

    /** An attempt whose cleanup has to see the whole process group gone. */
    static Attempt ofAGroup(String id) {
        return anAttempt(id, "owner-1", "key-of-" + id, null, NOW, Capability.PROCESS_GROUP);
    }

    static Attempt anAttempt(String id, String owner, String idempotencyKey, String sessionHolder, Instant createdAt) {
        return anAttempt(id, owner, idempotencyKey, sessionHolder, createdAt, Capability.DIRECT_PROCESS);
    }

    private static Attempt anAttempt(
            String id,
            String owner,
            String idempotencyKey,
            String sessionHolder,
            Instant createdAt,
            Capability requiredCleanup) {
        return new Attempt(
                id,
                "action-1",
                owner,
                3,
                idempotencyKey,
                "d".repeat(64),
                "{\"attempt_id\":\"" + id + "\"}",
                "attempt-key-" + id,
                "0".repeat(32),
                "host-1",
                "default",
                "/bin/true",
                sessionHolder == null ? null : "session-1",
                sessionHolder,
                sessionHolder,
                List.of(new ResolvedResource(
                        "work",
                        null,
                        "/srv/work",
                        "a \"quoted\" päth\n",
                        ResourceAccess.WRITE,
                        ResourcePurpose.PROJECT)),
                ExecutionState.INTENDED,
                CleanupState.PENDING,
                Capability.PROCESS_GROUP,
                requiredCleanup,
                ExitObservation.INDEPENDENT,
                null,
                null,
                null,
                null,
                null,
                0,
                0,
                0,
                createdAt,
                createdAt,
                null,
                0);
    }

    static Evidence fact(EvidenceKind kind) {
        return Evidence.of(NOW, kind, Map.of());
    }
}
