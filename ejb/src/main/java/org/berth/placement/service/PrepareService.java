package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.berth.access.Caller;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.Attempt;
import org.berth.placement.AttemptKeys;
import org.berth.placement.CanonicalJson;
import org.berth.placement.Capability;
import org.berth.placement.CleanupState;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.placement.ExecutableResolver;
import org.berth.placement.ExecutionState;
import org.berth.placement.ExitObservation;
import org.berth.placement.HostMeasurement;
import org.berth.placement.PrepareRequest;
import org.berth.placement.ResolvedResource;
import org.berth.placement.Wire;
import org.berth.placement.store.AttemptExistsException;
import org.berth.placement.store.AttemptRepository;
import org.berth.placement.store.SessionHeldException;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Admits a launch request: validates it against this host, measures what the host can clean, and records the intent.
 * Nothing external exists afterwards. Idempotent by (owner, idempotency key). Source: placement.md, prepare.
 */
@ApplicationScoped
public class PrepareService {
    private static final SecureRandom RANDOM = new SecureRandom();

    @Inject
    private Host host;

    @Inject
    private HostCapability capability;

    @Inject
    private ResourceAuthority authority;

    @Inject
    private DriverAdmission drivers;

    @Inject
    private AttemptRepository attempts;

    @Inject
    private ContainerAttempts containers;

    @Inject
    private AttemptChanges changes;

    @Inject
    private Clock clock;

    /** Fails with INVALID, DENIED, FORBIDDEN, CONFLICT, UNSUPPORTED_CAPABILITY, UNAVAILABLE or STORAGE. */
    public CompletionStage<Prepared> prepare(Caller caller, PrepareRequest request) {
        if (!caller.mayActFor(request.ownerId())) {
            throw new BerthException(
                    ProblemCode.FORBIDDEN, "owner_id is not yours; only an operator prepares for another owner");
        }
        return admit(caller, request, policy -> {
            HostPolicy.Policy selected = requirePolicy(policy, request);
            requireReferences(policy, request);
            return drivers.admit(policy, selected, request);
        });
    }

    /**
     * Admits what the server itself places for a session, under {@link InternalAdmission#POLICY}: the host's policies do
     * not select it, its grants and its capability hold as for any other. Fails as {@link #prepare} does.
     */
    CompletionStage<Prepared> prepareInternal(Caller caller, PrepareRequest request) {
        return admit(caller, request, policy -> DriverAdmission.Admitted.COMMAND);
    }

    private CompletionStage<Prepared> admit(
            Caller caller, PrepareRequest request, Function<HostPolicy, DriverAdmission.Admitted> selection) {
        String digest = request.digest();
        Optional<Attempt> earlier = attempts.findByIdempotencyKey(request.ownerId(), request.idempotencyKey());
        if (earlier.isPresent()) {
            return CompletableFuture.completedFuture(replay(earlier.get(), digest));
        }
        HostPolicy policy = host.policy();
        DriverAdmission.Admitted admitted = selection.apply(policy);
        List<ResolvedResource> resources = authority.resolve(request, clock.instant());
        if (containers.selectedFor(request.policyRef())) {
            containers.requireMountable(request, resources);
            String executable = containers.executable(request);
            return capability.measured().thenApply(measured -> {
                HostMeasurement contained = containers.measured(measured);
                requireCapability(contained, request);
                return record(caller, request, digest, executable, resources, contained, admitted);
            });
        }
        Path executable = ExecutableResolver.resolve(request.launch().executable(), policy.path());
        return capability.measured().thenApply(measured -> {
            requireCapability(measured, request);
            return record(caller, request, digest, executable.toString(), resources, measured, admitted);
        });
    }

    private static Prepared replay(Attempt earlier, String digest) {
        if (!earlier.requestDigest().equals(digest)) {
            throw BerthException.conflict(
                    "idempotency_key was used before with another request; use a new key, or send the same request");
        }
        return new Prepared(earlier, false, List.of());
    }

    private static HostPolicy.Policy requirePolicy(HostPolicy policy, PrepareRequest request) {
        HostPolicy.Policy selected = policy.policies().get(request.policyRef());
        if (selected == null || InternalAdmission.POLICY.equals(request.policyRef())) {
            throw new BerthException(
                    ProblemCode.DENIED, "policy_ref names no policy of this host; GET /api/placement/host lists them");
        }
        HostPolicy.Digests digests = policy.digests(request.policyRef());
        boolean agent = !DriverAdmission.COMMAND.equals(selected.driver());
        requireDigest("binding_digest", request.bindingDigest(), digests.bindingDigest(), agent);
        requireDigest("profile_digest", request.profileDigest(), digests.profileDigest(), agent);
        if (request.configurationDigest() != null) {
            requireDigest("configuration_digest", request.configurationDigest(), digests.configurationDigest(), agent);
        } else if (agent) {
            throw BerthException.invalid("configuration_digest is required under the driver '" + selected.driver()
                    + "'; GET /api/placement/host publishes it");
        }
        return selected;
    }

    /** Only the driver of any executable has nothing to bind, so that zeros say enough there. */
    private static void requireDigest(String field, String given, String published, boolean agent) {
        if (!given.equals(published) && (agent || !given.chars().allMatch(c -> c == '0'))) {
            throw BerthException.conflict(
                    field + " differs from what GET /api/placement/host publishes for this policy");
        }
    }

    private static void requireReferences(HostPolicy policy, PrepareRequest request) {
        request.environmentRefs().forEach((name, reference) -> {
            if (!policy.references().containsKey(reference)) {
                throw new BerthException(
                        ProblemCode.DENIED,
                        "environment_refs." + name + " names a reference that this host's policy does not list");
            }
        });
    }

    private static void requireCapability(HostMeasurement measured, PrepareRequest request) {
        if (request.requiredCleanup().compareTo(measured.capability()) > 0) {
            String why = request.requiredCleanup() == Capability.CONTAINED_TREE && measured.containmentReason() != null
                    ? " (" + measured.containmentReason() + ")"
                    : "";
            throw new BerthException(
                    ProblemCode.UNSUPPORTED_CAPABILITY,
                    "required_cleanup " + Wire.name(request.requiredCleanup()) + " is more than this host can prove: "
                            + Wire.name(measured.capability()) + why);
        }
        if (request.requiredExitObservation() == ExitObservation.INDEPENDENT
                && measured.exitObservation() != ExitObservation.INDEPENDENT) {
            throw new BerthException(
                    ProblemCode.UNSUPPORTED_CAPABILITY,
                    "required_exit_observation independent is more than this host can do");
        }
    }

    private Prepared record(
            Caller caller,
            PrepareRequest request,
            String digest,
            String executable,
            List<ResolvedResource> resources,
            HostMeasurement measured,
            DriverAdmission.Admitted admitted) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        String sessionKey =
                request.sessionRef() == null ? null : AttemptKeys.session(request.ownerId(), request.sessionRef());
        Attempt intent = new Attempt(
                request.attemptId(),
                request.actionId(),
                request.ownerId(),
                request.ownerIncarnation(),
                request.idempotencyKey(),
                digest,
                CanonicalJson.write(request.toTree()),
                AttemptKeys.attempt(request.ownerId(), request.attemptId()),
                randomToken(),
                host.hostId(),
                request.policyRef(),
                executable,
                request.sessionRef(),
                sessionKey,
                sessionKey,
                resources,
                ExecutionState.INTENDED,
                CleanupState.PENDING,
                measured.capability(),
                request.requiredCleanup(),
                measured.exitObservation(),
                null,
                null,
                null,
                null,
                null,
                0,
                0,
                0,
                now,
                now,
                null,
                0);
        Evidence row = Evidence.of(
                now,
                EvidenceKind.INTENT_RECORDED,
                Map.of(
                        "request_digest", digest,
                        "admitted_by", caller.ownerId(),
                        "capability", Wire.name(measured.capability())));
        try {
            return new Prepared(
                    changes.insert(intent, List.of(row), admitted.deliveryJson()), true, admitted.notices());
        } catch (AttemptExistsException e) {
            return afterRace(request, digest);
        } catch (SessionHeldException e) {
            throw held(sessionKey);
        }
    }

    private Prepared afterRace(PrepareRequest request, String digest) {
        return attempts.findByIdempotencyKey(request.ownerId(), request.idempotencyKey())
                .map(earlier -> replay(earlier, digest))
                .orElseThrow(() -> BerthException.conflict("attempt_id is in use; choose another"));
    }

    private BerthException held(String sessionKey) {
        String holder = attempts.holderOf(sessionKey)
                .map(attempt -> " '" + attempt.attemptId() + "'")
                .orElse("");
        return BerthException.conflict("session_ref is held by attempt" + holder
                + "; its home is free once that attempt has exited and its cleanup is complete");
    }

    private static String randomToken() {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
