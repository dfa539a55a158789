package org.berth.startup.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.berth.access.Caller;
import org.berth.access.Role;
import org.berth.placement.Attempt;
import org.berth.placement.ExecutionState;
import org.berth.placement.PrepareRequestDecoder;
import org.berth.placement.Wire;
import org.berth.placement.service.PrepareService;
import org.berth.placement.service.StartService;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.Member;
import org.berth.startup.MemberCommand;
import org.berth.work.Actor;

/**
 * Starts members of runtime command: each is an ordinary supervised attempt of Berth's owner in the member's directory,
 * one for each occupant generation. What runs stays as it is; what has exited is started again as a new generation.
 * Source: environments.md, Rigs, startup.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class CommandMembers {
    /** Whose attempts the members are. Source: api.md, the owner token's principal. */
    private static final String OWNER = "owner";

    private static final long ROWS = 40;
    private static final long COLUMNS = 120;
    private static final int PATIENCE_SECONDS = 60;
    private static final String NO_DIGEST = "0".repeat(64);

    @Inject
    private MemberLedger ledger;

    @Inject
    private MemberDirectory directories;

    @Inject
    private PrepareService prepares;

    @Inject
    private StartService starts;

    /** A member that runs. */
    record Running(String generation, Attempt attempt) {}

    /**
     * @param actor who starts the rig; only an operator's start gives the member its directory
     * @throws BerthException what placement refuses; CONFLICT while the attempt is ending; UNCERTAIN
     */
    Running up(Member member, MemberCommand command, Actor actor) {
        Caller owner = new Caller(OWNER, Set.of(Role.OPERATOR, Role.OWNER), null);
        String nodeId = member.node().nodeId();
        MemberLedger.Claim claim = ledger.claim(nodeId);
        if (claim.attempt() == null) {
            Map<String, Object> directory =
                    directories.resource(owner, member.node().cwd(), Actor.DECLARED.equals(actor.provenance()));
            answered(prepares.prepare(owner, PrepareRequestDecoder.decode(request(member, command, claim, directory))));
        }
        Attempt attempt = answered(starts.start(owner, claim.attemptId()));
        ledger.started(nodeId, claim);
        return new Running(claim.generation(), requireLive(attempt));
    }

    private static Attempt requireLive(Attempt attempt) {
        ExecutionState state = attempt.executionState();
        return switch (state) {
            case STARTING, RUNNING -> attempt;
            case STOPPING ->
                throw BerthException.conflict("The attempt " + attempt.attemptId()
                        + " is being stopped; start the member again once it has exited.");
            case INTENDED, EXITED ->
                throw BerthException.conflict("The attempt " + attempt.attemptId() + " is " + Wire.name(state)
                        + "; read its evidence, then start the member again.");
            case UNCERTAIN ->
                throw new BerthException(
                        ProblemCode.UNCERTAIN,
                        "What became of the attempt " + attempt.attemptId()
                                + " is not known; reconcile it before the member is started again.");
        };
    }

    private static Map<String, Object> request(
            Member member, MemberCommand command, MemberLedger.Claim claim, Map<String, Object> directory) {
        Map<String, Object> environment = new LinkedHashMap<>(command.environment());
        environment.put("OPENRIG_NODE_ID", member.node().nodeId());
        environment.put("OPENRIG_SESSION_NAME", member.node().seat());
        environment.put("OPENRIG_OCCUPANT_GENERATION", claim.generation());
        Map<String, Object> launch = new LinkedHashMap<>();
        launch.put("executable", command.executable());
        launch.put("argv", command.argv());
        launch.put("environment", List.copyOf(environment.keySet()));
        launch.put("working_directory_ref", MemberDirectory.NAME);
        if (command.window()) {
            environment.putIfAbsent("TERM", "xterm-256color");
            launch.put("mode", "window");
            launch.put("window", Map.of("rows", ROWS, "cols", COLUMNS));
        }
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("idempotency_key", claim.attemptId());
        request.put("owner_id", OWNER);
        request.put("owner_incarnation", 1L);
        request.put("action_id", "up-" + member.node().rigId());
        request.put("attempt_id", claim.attemptId());
        request.put("binding_ref", member.node().nodeId());
        request.put("binding_digest", NO_DIGEST);
        request.put("policy_ref", command.policy());
        request.put("profile_id", member.profile());
        request.put("profile_digest", NO_DIGEST);
        request.put("launch", launch);
        request.put("environment", environment);
        request.put("resources", List.of(directory));
        request.put("required_cleanup", "process_group");
        request.put("required_exit_observation", "independent");
        request.put("output", Map.of("recipient", command.window() ? "stream" : "log"));
        return request;
    }

    private static <T> T answered(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw uncertain(e);
        } catch (TimeoutException e) {
            throw uncertain(e);
        } catch (ExecutionException | CompletionException e) {
            if (e.getCause() instanceof BerthException refusal) {
                throw refusal;
            }
            throw uncertain(e);
        }
    }

    private static BerthException uncertain(Exception cause) {
        return new BerthException(
                ProblemCode.UNCERTAIN, "The member's start is not confirmed; start it again to see.", cause);
    }
}
