package org.berth.placement.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.placement.Attempt;
import org.berth.placement.CanonicalJson;
import org.berth.placement.Capability;
import org.berth.placement.CleanupState;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.placement.ExecutionState;
import org.berth.placement.Exit;
import org.berth.placement.ExitObservation;
import org.berth.placement.ExitSource;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.ResolvedResource;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourcePurpose;
import org.berth.placement.StopMode;

/** Between the records of an attempt and its rows. */
final class AttemptMapper {
    private static final String EXITED = "exited";
    private static final String SIGNALLED = "signalled";
    private static final String UNKNOWN = "unknown";

    private AttemptMapper() {}

    static AttemptEntity row(Attempt attempt) {
        AttemptEntity row = new AttemptEntity();
        row.attemptId = attempt.attemptId();
        row.actionId = attempt.actionId();
        row.ownerId = attempt.ownerId();
        row.ownerIncarnation = attempt.ownerIncarnation();
        row.idempotencyKey = attempt.idempotencyKey();
        row.requestDigest = attempt.requestDigest();
        row.requestJson = attempt.requestJson();
        row.attemptKey = attempt.attemptKey();
        row.nonce = attempt.nonce();
        row.hostId = attempt.hostId();
        row.policyRef = attempt.policyRef();
        row.executablePath = attempt.executablePath();
        row.sessionRef = attempt.sessionRef();
        row.sessionKey = attempt.sessionKey();
        row.capability = StoredValues.name(attempt.capability());
        row.requiredCleanup = StoredValues.name(attempt.requiredCleanup());
        row.exitObservation = StoredValues.name(attempt.exitObservation());
        row.createdAt = StoredValues.micros(attempt.createdAt());
        change(row, attempt);
        return row;
    }

    /** Writes what may change after prepare; never the evidence count and the version, which are the store's. */
    static void change(AttemptEntity row, Attempt attempt) {
        row.sessionHolder = attempt.sessionHolder();
        row.resourcesJson = resources(attempt.resources());
        row.executionState = StoredValues.name(attempt.executionState());
        row.cleanupState = StoredValues.name(attempt.cleanupState());
        row.runnerId = attempt.runnerId();
        identity(row, attempt.identity());
        exit(row, attempt.exit());
        row.exitSource = StoredValues.name(attempt.exitSource());
        row.stopRequested = StoredValues.name(attempt.stopRequested());
        row.attachmentGeneration = attempt.attachmentGeneration();
        row.recordedEvents = attempt.recordedEvents();
        row.updatedAt = StoredValues.micros(attempt.updatedAt());
        row.lastSweptAt = later(row.lastSweptAt, StoredValues.micros(attempt.lastSweptAt()));
    }

    static Attempt attempt(AttemptEntity row) {
        return new Attempt(
                row.attemptId,
                row.actionId,
                row.ownerId,
                row.ownerIncarnation,
                row.idempotencyKey,
                row.requestDigest,
                row.requestJson,
                row.attemptKey,
                row.nonce,
                row.hostId,
                row.policyRef,
                row.executablePath,
                row.sessionRef,
                row.sessionKey,
                row.sessionHolder,
                resources(row.resourcesJson),
                StoredValues.constant(ExecutionState.class, row.executionState),
                StoredValues.constant(CleanupState.class, row.cleanupState),
                StoredValues.constant(Capability.class, row.capability),
                StoredValues.constant(Capability.class, row.requiredCleanup),
                StoredValues.constant(ExitObservation.class, row.exitObservation),
                row.runnerId,
                identity(row),
                exit(row),
                StoredValues.constant(ExitSource.class, row.exitSource),
                StoredValues.constant(StopMode.class, row.stopRequested),
                row.attachmentGeneration,
                row.recordedEvents,
                row.evidenceCount,
                row.createdAt,
                row.updatedAt,
                row.lastSweptAt,
                row.version);
    }

    static EvidenceEntity row(String attemptId, long sequence, Evidence evidence) {
        EvidenceEntity row = new EvidenceEntity();
        row.attemptId = attemptId;
        row.sequence = sequence;
        row.observedAt = StoredValues.micros(evidence.at());
        row.kind = StoredValues.name(evidence.kind());
        row.detail = CanonicalJson.write(evidence.detail());
        return row;
    }

    static Evidence evidence(EvidenceEntity row) {
        return new Evidence(
                row.sequence,
                row.observedAt,
                StoredValues.constant(EvidenceKind.class, row.kind),
                StoredValues.map(row.detail));
    }

    private static Instant later(Instant recorded, Instant given) {
        if (recorded == null || given == null) {
            return recorded == null ? given : recorded;
        }
        return recorded.isAfter(given) ? recorded : given;
    }

    private static void identity(AttemptEntity row, ProcessIdentity identity) {
        ProcessIdentity.Tree tree = identity == null ? null : identity.tree();
        row.childPid = identity == null ? null : identity.pid();
        row.childGroup = identity == null ? null : identity.group();
        row.childStartTicks = identity == null ? null : identity.startTicks();
        row.childBootId = identity == null ? null : identity.bootId();
        row.treeInitPid = tree == null ? null : tree.initPid();
        row.treeInitStartTicks = tree == null ? null : tree.initStartTicks();
        row.treeInnerPid = tree == null ? null : tree.innerPid();
        row.treeInnerStartTicks = tree == null ? null : tree.innerStartTicks();
    }

    private static ProcessIdentity identity(AttemptEntity row) {
        if (row.childPid == null) {
            return null;
        }
        ProcessIdentity.Tree tree = row.treeInitPid == null
                ? null
                : new ProcessIdentity.Tree(
                        row.treeInitPid, row.treeInitStartTicks, row.treeInnerPid, row.treeInnerStartTicks);
        return new ProcessIdentity(row.childPid, row.childGroup, row.childStartTicks, row.childBootId, tree);
    }

    private static void exit(AttemptEntity row, Exit exit) {
        row.exitKind = null;
        row.exitCode = null;
        row.exitSignal = null;
        row.exitReason = null;
        switch (exit) {
            case null -> {}
            case Exit.Exited(int code) -> {
                row.exitKind = EXITED;
                row.exitCode = code;
            }
            case Exit.Signalled(int signal) -> {
                row.exitKind = SIGNALLED;
                row.exitSignal = signal;
            }
            case Exit.Unknown(String reason) -> {
                row.exitKind = UNKNOWN;
                row.exitReason = reason;
            }
        }
    }

    private static Exit exit(AttemptEntity row) {
        return switch (row.exitKind) {
            case null -> null;
            case EXITED -> new Exit.Exited(row.exitCode);
            case SIGNALLED -> new Exit.Signalled(row.exitSignal);
            default -> new Exit.Unknown(row.exitReason);
        };
    }

    private static String resources(List<ResolvedResource> resources) {
        List<Map<String, Object>> list = new ArrayList<>();
        for (ResolvedResource each : resources) {
            Map<String, Object> item = new LinkedHashMap<>();
            item.put("name", each.name());
            item.put("grant_ref", each.grantRef());
            item.put("root", each.root());
            item.put("subpath", each.subpath());
            item.put("access", StoredValues.name(each.access()));
            item.put("purpose", StoredValues.name(each.purpose()));
            list.add(item);
        }
        return CanonicalJson.write(list);
    }

    private static List<ResolvedResource> resources(String json) {
        return StoredValues.list(json).stream()
                .map(Map.class::cast)
                .map(item -> new ResolvedResource(
                        (String) item.get("name"),
                        (String) item.get("grant_ref"),
                        (String) item.get("root"),
                        (String) item.get("subpath"),
                        StoredValues.constant(ResourceAccess.class, (String) item.get("access")),
                        StoredValues.constant(ResourcePurpose.class, (String) item.get("purpose"))))
                .toList();
    }
}
