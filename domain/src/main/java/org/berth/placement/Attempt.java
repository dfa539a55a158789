package org.berth.placement;

import java.time.Instant;
import java.util.List;

/**
 * What is recorded about one attempt. A snapshot: change it through {@link #change()} and give the result to the
 * store.
 *
 * @param requestJson the canonical JSON of the decoded request
 * @param attemptKey the derived directory key, 32 hex digits
 * @param nonce the private control token, 32 hex digits; never leaves the server and the supervisor
 * @param executablePath the resolved absolute path
 * @param sessionKey the derived key of the retained home that it uses; null for none
 * @param sessionHolder equal to {@code sessionKey} while this attempt holds that home, else null; unique
 * @param runnerId who claimed the start; null before
 * @param identity the child's; null before it is known
 * @param exit null while not exited
 * @param exitSource null while not exited
 * @param stopRequested the mode of the newest stop; null for none
 * @param recordedEvents the newest supervisor event that is in the evidence
 * @param evidenceCount the newest evidence sequence
 * @param lastSweptAt null before the first sweep
 * @param version guards against a lost update
 */
public record Attempt(
        String attemptId,
        String actionId,
        String ownerId,
        long ownerIncarnation,
        String idempotencyKey,
        String requestDigest,
        String requestJson,
        String attemptKey,
        String nonce,
        String hostId,
        String policyRef,
        String executablePath,
        String sessionRef,
        String sessionKey,
        String sessionHolder,
        List<ResolvedResource> resources,
        ExecutionState executionState,
        CleanupState cleanupState,
        Capability capability,
        Capability requiredCleanup,
        ExitObservation exitObservation,
        String runnerId,
        ProcessIdentity identity,
        Exit exit,
        ExitSource exitSource,
        StopMode stopRequested,
        long attachmentGeneration,
        long recordedEvents,
        long evidenceCount,
        Instant createdAt,
        Instant updatedAt,
        Instant lastSweptAt,
        long version) {

    /** A change of the parts that may change after prepare. */
    public Change change() {
        return new Change(this);
    }

    /** Collects changes; {@link #apply()} gives the changed snapshot. */
    public static final class Change {
        private final Attempt from;
        private String sessionHolder;
        private List<ResolvedResource> resources;
        private ExecutionState executionState;
        private CleanupState cleanupState;
        private String runnerId;
        private ProcessIdentity identity;
        private Exit exit;
        private ExitSource exitSource;
        private StopMode stopRequested;
        private long attachmentGeneration;
        private long recordedEvents;
        private Instant updatedAt;
        private Instant lastSweptAt;

        private Change(Attempt from) {
            this.from = from;
            sessionHolder = from.sessionHolder;
            resources = from.resources;
            executionState = from.executionState;
            cleanupState = from.cleanupState;
            runnerId = from.runnerId;
            identity = from.identity;
            exit = from.exit;
            exitSource = from.exitSource;
            stopRequested = from.stopRequested;
            attachmentGeneration = from.attachmentGeneration;
            recordedEvents = from.recordedEvents;
            updatedAt = from.updatedAt;
            lastSweptAt = from.lastSweptAt;
        }

        public Change sessionHolder(String value) {
            sessionHolder = value;
            return this;
        }

        public Change resources(List<ResolvedResource> value) {
            resources = value;
            return this;
        }

        public Change executionState(ExecutionState value) {
            executionState = value;
            return this;
        }

        public Change cleanupState(CleanupState value) {
            cleanupState = value;
            return this;
        }

        public Change runnerId(String value) {
            runnerId = value;
            return this;
        }

        public Change identity(ProcessIdentity value) {
            identity = value;
            return this;
        }

        public Change exit(Exit value, ExitSource source) {
            exit = value;
            exitSource = source;
            return this;
        }

        public Change stopRequested(StopMode value) {
            stopRequested = value;
            return this;
        }

        public Change attachmentGeneration(long value) {
            attachmentGeneration = value;
            return this;
        }

        public Change recordedEvents(long value) {
            recordedEvents = value;
            return this;
        }

        public Change updatedAt(Instant value) {
            updatedAt = value;
            return this;
        }

        public Change lastSweptAt(Instant value) {
            lastSweptAt = value;
            return this;
        }

        public Attempt apply() {
            return new Attempt(
                    from.attemptId,
                    from.actionId,
                    from.ownerId,
                    from.ownerIncarnation,
                    from.idempotencyKey,
                    from.requestDigest,
                    from.requestJson,
                    from.attemptKey,
                    from.nonce,
                    from.hostId,
                    from.policyRef,
                    from.executablePath,
                    from.sessionRef,
                    from.sessionKey,
                    sessionHolder,
                    resources,
                    executionState,
                    cleanupState,
                    from.capability,
                    from.requiredCleanup,
                    from.exitObservation,
                    runnerId,
                    identity,
                    exit,
                    exitSource,
                    stopRequested,
                    attachmentGeneration,
                    recordedEvents,
                    from.evidenceCount,
                    from.createdAt,
                    updatedAt,
                    lastSweptAt,
                    from.version);
        }
    }
}
