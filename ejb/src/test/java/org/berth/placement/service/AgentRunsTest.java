package org.berth.placement.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.access.Caller;
import org.berth.access.Role;
import org.berth.driver.AgentDriver;
import org.berth.driver.service.DriverCatalogue;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.AgentRunDecoder;
import org.berth.placement.AgentRunRequest;
import org.berth.placement.Attempt;
import org.berth.placement.CanonicalJson;
import org.berth.placement.Capability;
import org.berth.placement.CleanupState;
import org.berth.placement.ExecutionState;
import org.berth.placement.ExitObservation;
import org.berth.placement.PlacementLayout;
import org.berth.placement.PrepareRequest;
import org.berth.placement.store.AttemptRepository;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentRunsTest {
    private static final Caller ANN = new Caller("ann", Set.of(Role.OWNER), "t");
    private static final Caller OPERATOR = new Caller("op", Set.of(Role.OPERATOR), "t");

    @TempDir
    private Path root;

    /** What had an effect, in order. */
    private final List<String> effects = new ArrayList<>();

    private final List<PrepareRequest> prepared = new ArrayList<>();
    private Attempt earlier;
    private HostPolicy policy = AgentLaunchTest.HOST;

    private final AgentRuns runs = new AgentRuns(
            new Host() {
                @Override
                public HostPolicy policy() {
                    return policy;
                }

                @Override
                public PlacementLayout layout() {
                    return new PlacementLayout(root);
                }
            },
            new DriverCatalogue() {
                @Override
                public Optional<AgentDriver> find(String name) {
                    return FixtureDriver.NAME.equals(name) ? Optional.of(new FixtureDriver()) : Optional.empty();
                }

                @Override
                public List<AgentDriver> all() {
                    return List.of(new FixtureDriver());
                }
            },
            new SessionRights() {
                @Override
                Right find(Caller caller, String ownerId, String sessionRef) {
                    return new Right("grant-of-" + ownerId, "session", null);
                }

                @Override
                void issue(Right right) {
                    effects.add("issue " + right.grantRef());
                }
            },
            new PrepareService() {
                @Override
                public CompletionStage<Prepared> prepare(Caller caller, PrepareRequest request) {
                    effects.add("prepare for " + request.ownerId());
                    prepared.add(request);
                    return CompletableFuture.completedFuture(new Prepared(null, true, List.of("LOGIN_REQUIRED")));
                }
            },
            new AttemptRepository(null) {
                @Override
                public Optional<Attempt> findByIdempotencyKey(String ownerId, String idempotencyKey) {
                    return Optional.ofNullable(earlier)
                            .filter(attempt -> attempt.ownerId().equals(ownerId)
                                    && attempt.idempotencyKey().equals(idempotencyKey));
                }
            });

    private static AgentRunRequest run(Object... more) {
        Map<String, Object> body = new LinkedHashMap<>(Map.of("policy_ref", "reader", "prompt", "look"));
        for (int i = 0; i < more.length; i += 2) {
            body.put((String) more[i], more[i + 1]);
        }
        return AgentRunDecoder.decode(body);
    }

    private static Attempt recorded(PrepareRequest request) {
        return new Attempt(
                request.attemptId(),
                request.actionId(),
                request.ownerId(),
                1,
                request.idempotencyKey(),
                request.digest(),
                CanonicalJson.write(request.toTree()),
                "0".repeat(32),
                "0".repeat(32),
                "host",
                request.policyRef(),
                "/bin/true",
                request.sessionRef(),
                null,
                null,
                List.of(),
                ExecutionState.INTENDED,
                CleanupState.PENDING,
                Capability.PROCESS_GROUP,
                Capability.PROCESS_GROUP,
                ExitObservation.INDEPENDENT,
                null,
                null,
                null,
                null,
                null,
                0,
                0,
                0,
                Instant.EPOCH,
                Instant.EPOCH,
                null,
                0);
    }

    private static AbstractThrowableAssert<?, ?> refused(ProblemCode code, ThrowingCallable call) {
        return assertThatThrownBy(call)
                .asInstanceOf(InstanceOfAssertFactories.type(BerthException.class))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(code))
                .asInstanceOf(InstanceOfAssertFactories.THROWABLE);
    }

    private Prepared prepare(Caller caller, AgentRunRequest run) {
        return runs.prepare(caller, run).toCompletableFuture().join();
    }

    @Test
    void a_run_is_prepared_for_its_caller_with_the_notices_of_the_admission() {
        assertThat(prepare(ANN, run())).isEqualTo(new Prepared(null, true, List.of("LOGIN_REQUIRED")));
        assertThat(effects).containsExactly("prepare for ann");
    }

    @Test
    void an_operator_runs_an_agent_for_another_owner_and_nobody_else_does() {
        prepare(OPERATOR, run("owner_id", "bob", "session_ref", "s"));

        assertThat(effects).containsExactly("issue grant-of-bob", "prepare for bob");
        refused(ProblemCode.FORBIDDEN, () -> prepare(ANN, run("owner_id", "bob")))
                .hasMessageStartingWith("owner_id is not yours");
        refused(ProblemCode.FORBIDDEN, () -> prepare(new Caller("ann", Set.of(Role.SEAT), "t", "m@rig"), run()));
        assertThat(prepared).hasSize(1);
    }

    @Test
    void a_refused_run_issues_no_grant() {
        refused(ProblemCode.INVALID, () -> prepare(ANN, run("session_ref", "s", "timeouts", Map.of("start_ms", 0L))));
        refused(ProblemCode.CONFLICT, () -> prepare(ANN, run("session_ref", "s", "resume", true)));
        refused(ProblemCode.DENIED, () -> prepare(ANN, run("session_ref", "s", "policy_ref", "none")));

        assertThat(effects).isEmpty();
    }

    @Test
    void the_same_body_answers_its_attempt_even_when_the_policy_is_gone() {
        AgentRunRequest turn = run("idempotency_key", "k", "session_ref", "s");
        prepare(ANN, turn);
        earlier = recorded(prepared.getFirst());
        policy = HostPolicy.DEFAULT;

        assertThat(prepare(ANN, turn)).isEqualTo(new Prepared(earlier, false, List.of()));
        assertThat(effects).containsExactly("issue grant-of-ann", "prepare for ann");
        refused(ProblemCode.CONFLICT, () -> prepare(ANN, run("idempotency_key", "k", "prompt", "else")))
                .hasMessageStartingWith("idempotency_key was used before");
    }

    @Test
    void a_key_is_each_owners_own() {
        AgentRunRequest turn = run("idempotency_key", "k");
        prepare(ANN, turn);
        earlier = recorded(prepared.getFirst());

        prepare(OPERATOR, turn);

        assertThat(effects).containsExactly("prepare for ann", "prepare for op");
        assertThat(prepared.get(0).attemptId()).isNotEqualTo(prepared.get(1).attemptId());
    }

    @Test
    void a_driver_whose_program_is_nowhere_is_listed_all_the_same() {
        assertThat(runs.drivers()).singleElement().satisfies(installed -> {
            assertThat(installed.definition().name()).isEqualTo(FixtureDriver.NAME);
            assertThat(installed.found()).isNull();
        });
    }
}
