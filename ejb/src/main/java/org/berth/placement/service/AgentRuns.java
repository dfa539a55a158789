package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.berth.access.Caller;
import org.berth.driver.DriverDefinition;
import org.berth.driver.service.DriverCatalogue;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.AgentRunRequest;
import org.berth.placement.Attempt;
import org.berth.placement.CanonicalJson;
import org.berth.placement.ExecutableResolver;
import org.berth.placement.PrepareRequest;
import org.berth.placement.store.AttemptRepository;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Admits runs of agents: makes the launch request that the host's policy and the driver stand for, and prepares it.
 * Nothing external exists afterwards. Idempotent by (owner, idempotency key) and body. Source: placement.md, prepare.
 */
@ApplicationScoped
public class AgentRuns {
    private static final String ACTION = "agent-run";
    private static final int KEY_DIGITS = 24;

    private final Host host;
    private final DriverCatalogue drivers;
    private final SessionRights rights;
    private final PrepareService prepares;
    private final AttemptRepository attempts;

    /** For the container's proxy. */
    protected AgentRuns() {
        this(null, null, null, null, null);
    }

    @Inject
    AgentRuns(
            Host host,
            DriverCatalogue drivers,
            SessionRights rights,
            PrepareService prepares,
            AttemptRepository attempts) {
        this.host = host;
        this.drivers = drivers;
        this.rights = rights;
        this.prepares = prepares;
        this.attempts = attempts;
    }

    /**
     * A driver and its program on this host.
     *
     * @param found absolute path on the policy's PATH; null where there is none
     */
    public record Installed(DriverDefinition definition, String found) {}

    /** Fails with INVALID, DENIED, FORBIDDEN, CONFLICT, UNSUPPORTED_CAPABILITY, NOT_FOUND, UNAVAILABLE or STORAGE. */
    public CompletionStage<Prepared> prepare(Caller caller, AgentRunRequest run) {
        String owner = run.ownerId() == null ? caller.ownerId() : run.ownerId();
        if (!caller.mayActFor(owner)) {
            throw new BerthException(
                    ProblemCode.FORBIDDEN, "owner_id is not yours; only an operator runs an agent for another owner");
        }
        AgentLaunch.Identity identity = identity(owner, run);
        Optional<Attempt> earlier = attempts.findByIdempotencyKey(owner, identity.idempotencyKey());
        if (earlier.isPresent()) {
            requireSame(StoredRequest.of(earlier.get()), run);
            return CompletableFuture.completedFuture(new Prepared(earlier.get(), false, List.of()));
        }
        AgentSelection selection = AgentSelection.of(host.policy(), drivers::find, run);
        AgentConversation conversation = AgentConversation.of(host.layout(), selection.driver(), owner, run);
        SessionRights.Right right = run.sessionRef() == null ? null : rights.find(caller, owner, run.sessionRef());
        PrepareRequest request = new AgentLaunch(identity, selection, run, conversation, right).request();
        if (right != null) {
            rights.issue(right);
        }
        return prepares.prepare(caller, request);
    }

    /** Every driver, by name. */
    public List<Installed> drivers() {
        HostPolicy policy = host.policy();
        return drivers.all().stream()
                .map(driver -> new Installed(
                        driver.definition(), found(driver.definition().executable(), policy)))
                .toList();
    }

    /** A run without a key is one of its own; one with a key has an attempt id that follows from it. */
    static AgentLaunch.Identity identity(String owner, AgentRunRequest run) {
        String key = run.idempotencyKey() == null ? ACTION + "-" + UUID.randomUUID() : run.idempotencyKey();
        String attemptId = run.attemptId() == null
                ? "agent-" + CanonicalJson.sha256(List.of(owner, key)).substring(0, KEY_DIGITS)
                : run.attemptId();
        return new AgentLaunch.Identity(owner, key, attemptId, run.actionId() == null ? ACTION : run.actionId());
    }

    /** @throws BerthException CONFLICT when {@code earlier} was asked for by another body */
    static void requireSame(PrepareRequest earlier, AgentRunRequest run) {
        if (!earlier.bindingRef().equals(AgentLaunch.bindingRef(run))) {
            throw BerthException.conflict(
                    "idempotency_key was used before with another request; use a new key, or send the same request");
        }
    }

    private static String found(String executable, HostPolicy policy) {
        try {
            return ExecutableResolver.resolve(executable, policy.path()).toString();
        } catch (BerthException e) {
            // Which directories were looked at is no matter of a list.
            return null;
        }
    }
}
