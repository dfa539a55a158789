package org.berth.placement.rest;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.json.StrictJson;
import org.berth.placement.Attempt;
import org.berth.placement.Evidence;
import org.berth.placement.ExecutableMeasurement;
import org.berth.placement.Exit;
import org.berth.placement.OutputStreamKind;
import org.berth.placement.ResourceGrant;
import org.berth.placement.RunnerStatus;
import org.berth.placement.Wire;

/** The shapes of api.md, as trees. Nothing private (nonce, keys, request) is in them. */
final class Views {
    private Views() {}

    static Map<String, Object> attempt(Attempt attempt) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("attempt_id", attempt.attemptId());
        tree.put("action_id", attempt.actionId());
        tree.put("owner_id", attempt.ownerId());
        tree.put("owner_incarnation", attempt.ownerIncarnation());
        tree.put("request_digest", attempt.requestDigest());
        tree.put("execution_state", Wire.name(attempt.executionState()));
        tree.put("cleanup_state", Wire.name(attempt.cleanupState()));
        tree.put("capability", Wire.name(attempt.capability()));
        tree.put("required_cleanup", Wire.name(attempt.requiredCleanup()));
        tree.put("exit_observation", Wire.name(attempt.exitObservation()));
        tree.put("exit_source", attempt.exitSource() == null ? null : Wire.name(attempt.exitSource()));
        tree.put("attachment_generation", attempt.attachmentGeneration());
        tree.put("exit", exit(attempt.exit()));
        tree.put("stop_requested", attempt.stopRequested() == null ? null : Wire.name(attempt.stopRequested()));
        tree.put("session_ref", attempt.sessionRef());
        tree.put("host_id", attempt.hostId());
        tree.put("executable", attempt.executablePath());
        tree.put("launch_mode", launchMode(attempt));
        tree.put("pid", attempt.identity() == null ? null : attempt.identity().pid());
        tree.put("evidence_count", attempt.evidenceCount());
        tree.put("created_at", attempt.createdAt().toString());
        tree.put("updated_at", attempt.updatedAt().toString());
        return tree;
    }

    private static String launchMode(Attempt attempt) {
        return StrictJson.object(attempt.requestJson()).get("launch") instanceof Map<?, ?> launch
                        && launch.containsKey("window")
                        && launch.get("window") != null
                ? "window"
                : "pipes";
    }

    /** {@code {code}}, {@code {signal}}, {@code {unknown}}, or null while there is none. */
    static Map<String, Object> exit(Exit exit) {
        return switch (exit) {
            case null -> null;
            case Exit.Exited exited -> Map.of("code", exited.code());
            case Exit.Signalled signalled -> Map.of("signal", signalled.signal());
            case Exit.Unknown unknown -> Map.of("unknown", unknown.reason());
        };
    }

    static Map<String, Object> evidence(Evidence row) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("sequence", row.sequence());
        tree.put("at", row.at().toString());
        tree.put("kind", row.kind().wire());
        tree.put("detail", row.detail());
        return tree;
    }

    static Map<String, Object> liveness(RunnerStatus status) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("observed", Wire.name(status.state()));
        tree.put("alive", status.state() == org.berth.placement.RunnerState.RUNNING);
        tree.put("exit", exit(status.exit()));
        tree.put("generation", status.generation());
        tree.put("streams_open", status.streamsOpen());
        tree.put("unacknowledged_chunks", status.unacknowledged());
        tree.put("unacknowledged_bytes", status.spooledBytes());
        return tree;
    }

    static Map<String, Object> measurement(ExecutableMeasurement measured) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("revision", ExecutableMeasurement.REVISION);
        tree.put("kind", Wire.name(measured.kind()));
        tree.put("digest", measured.digest());
        tree.put("size", measured.size());
        tree.put("interpreter", measured.interpreter());
        tree.put("interpreter_digest", measured.interpreterDigest());
        return tree;
    }

    static Map<String, Object> grant(ResourceGrant grant) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("grant_ref", grant.grantRef());
        tree.put("subject", grant.subject());
        tree.put("root", grant.root());
        tree.put("subpath", grant.subpath());
        tree.put("access", Wire.name(grant.access()));
        tree.put("purpose", Wire.name(grant.purpose()));
        tree.put("attempt_id", grant.attemptId());
        tree.put("issued_by", grant.issuedBy());
        tree.put("issued_at", grant.issuedAt().toString());
        tree.put(
                "expires_at",
                grant.expiresAt() == null ? null : grant.expiresAt().toString());
        tree.put(
                "revoked_at",
                grant.revokedAt() == null ? null : grant.revokedAt().toString());
        return tree;
    }

    static Map<String, Object> chunk(
            OutputStreamKind stream, long sequence, byte[] data, boolean eof, boolean truncated) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("stream", Wire.name(stream));
        tree.put("sequence", sequence);
        tree.put("data", Base64.getEncoder().encodeToString(data));
        tree.put("eof", eof);
        if (truncated) {
            tree.put("truncated", true);
        }
        return tree;
    }

    static List<Map<String, Object>> attempts(List<Attempt> attempts) {
        return attempts.stream().map(Views::attempt).toList();
    }
}
