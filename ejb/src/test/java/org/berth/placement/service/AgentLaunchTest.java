package org.berth.placement.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.driver.AgentDriver;
import org.berth.host.HostPolicy;
import org.berth.host.HostPolicy.Agent;
import org.berth.host.HostPolicy.Policy;
import org.berth.placement.AgentRunDecoder;
import org.berth.placement.AgentRunRequest;
import org.berth.placement.AttemptKeys;
import org.berth.placement.Capability;
import org.berth.placement.LaunchMode;
import org.berth.placement.PlacementLayout;
import org.berth.placement.PrepareRequest;
import org.berth.placement.RecipientKind;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourcePurpose;
import org.berth.placement.TerminalSize;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentLaunchTest {
    private static final String OWNER = "ann";
    private static final SessionRights.Right RIGHT = new SessionRights.Right("session-g", "session", null);
    private static final Agent EDITOR = new Agent("/opt/agent", null, null, true, null, null, null);
    static final HostPolicy HOST = host(Map.of(
            "shell", new Policy("command", "batch", null, Map.of(), List.of(), false),
            "reader", agent("batch", Agent.NONE, List.of("login", "token")),
            "editor", agent("batch", EDITOR, List.of()),
            "talker", agent("session", Agent.NONE, List.of()),
            "plain", agent("plain", Agent.NONE, List.of()),
            "screen", agent("window", Agent.NONE, List.of()),
            "odd", agent("cloud", Agent.NONE, List.of()),
            "lost", new Policy("nobody", "batch", null, Map.of(), List.of(), false)));

    @TempDir
    private Path root;

    private final FixtureDriver driver = new FixtureDriver();

    private static Policy agent(String profile, Agent agent, List<String> credentials) {
        return new Policy(FixtureDriver.NAME, profile, "m", Map.of(), credentials, false, agent);
    }

    private static HostPolicy host(Map<String, Policy> policies) {
        HostPolicy usual = HostPolicy.DEFAULT;
        return new HostPolicy(
                usual.placement(),
                usual.resourceMode(),
                usual.admittedRoots(),
                usual.path(),
                usual.workdirPreparers(),
                usual.sweep(),
                policies,
                usual.credentials(),
                usual.references(),
                usual.output(),
                usual.logRetention(),
                usual.evidenceRetention(),
                usual.providerLoginWriteback(),
                usual.environments(),
                usual.retention(),
                usual.kernelTransports());
    }

    private static AgentRunRequest run(String policy, Object... more) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("policy_ref", policy);
        for (int i = 0; i < more.length; i += 2) {
            body.put((String) more[i], more[i + 1]);
        }
        return AgentRunDecoder.decode(body);
    }

    private Optional<AgentDriver> find(String name) {
        return FixtureDriver.NAME.equals(name) ? Optional.of(driver) : Optional.empty();
    }

    private PrepareRequest planned(AgentRunRequest run) {
        AgentSelection selection = AgentSelection.of(HOST, this::find, run);
        AgentConversation conversation = AgentConversation.of(new PlacementLayout(root), driver, OWNER, run);
        return new AgentLaunch(
                        AgentRuns.identity(OWNER, run),
                        selection,
                        run,
                        conversation,
                        run.sessionRef() == null ? null : RIGHT)
                .request();
    }

    private void conversationOf(String sessionRef) throws IOException {
        Path home = new PlacementLayout(root).sessionHome(AttemptKeys.session(OWNER, sessionRef));
        Files.createDirectories(home.resolve("chats"));
        Files.createFile(home.resolve("chats").resolve(AgentConversation.id(OWNER, sessionRef)));
    }

    private static AbstractThrowableAssert<?, ?> refused(ProblemCode code, ThrowingCallable call) {
        return assertThatThrownBy(call)
                .asInstanceOf(InstanceOfAssertFactories.type(BerthException.class))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(code))
                .asInstanceOf(InstanceOfAssertFactories.THROWABLE);
    }

    @Test
    void a_batch_run_carries_what_the_policy_publishes_and_what_the_driver_says() {
        PrepareRequest request = planned(run("reader", "prompt", "look", "driver", "fixture"));

        HostPolicy.Digests digests = HOST.digests("reader");
        assertThat(request.bindingDigest()).isEqualTo(digests.bindingDigest());
        assertThat(request.profileDigest()).isEqualTo(digests.profileDigest());
        assertThat(request.configurationDigest()).isEqualTo(digests.configurationDigest());
        assertThat(request.policyRef()).isEqualTo("reader");
        assertThat(request.profileId()).isEqualTo("batch");
        assertThat(request.ownerId()).isEqualTo(OWNER);
        assertThat(request.actionId()).isEqualTo("agent-run");
        assertThat(request.projections()).containsExactly("login", "token");
        assertThat(request.launch())
                .isEqualTo(new PrepareRequest.Launch(
                        "fixture-agent",
                        List.of("--profile", "batch"),
                        "look",
                        true,
                        false,
                        List.of(),
                        null,
                        null,
                        LaunchMode.PIPES,
                        null,
                        null));
        assertThat(request.resources()).isEmpty();
        assertThat(request.sessionRef()).isNull();
    }

    @Test
    void the_policys_executable_goes_before_the_drivers() {
        assertThat(planned(run("editor", "prompt", "p")).launch().executable()).isEqualTo("/opt/agent");
    }

    @Test
    void what_a_launch_has_too_is_passed_on_and_checked_there() {
        PrepareRequest request = planned(run(
                "reader",
                "prompt",
                "p",
                "environment",
                Map.of("LANG", "C"),
                "timeouts",
                Map.of("start_ms", 5L),
                "output",
                Map.of("recipient", "log"),
                "required_cleanup",
                "direct_process",
                "attempt_id",
                "a1",
                "idempotency_key",
                "k1",
                "action_id",
                "act"));

        assertThat(request.environment()).isEqualTo(Map.of("LANG", "C"));
        assertThat(request.timeouts().startMs()).isEqualTo(5);
        assertThat(request.output().recipient()).isEqualTo(RecipientKind.LOG);
        assertThat(request.requiredCleanup()).isEqualTo(Capability.DIRECT_PROCESS);
        assertThat(List.of(request.attemptId(), request.idempotencyKey(), request.actionId()))
                .containsExactly("a1", "k1", "act");
        refused(ProblemCode.INVALID, () -> planned(run("reader", "prompt", "p", "timeouts", Map.of("start_ms", 0L))))
                .hasMessageStartingWith("timeouts.start_ms must be");
        refused(ProblemCode.INVALID, () -> planned(run("reader", "prompt", "p", "environment", Map.of("HOME", "/"))))
                .hasMessageStartingWith("environment.HOME is a variable that the host sets");
        refused(ProblemCode.INVALID, () -> planned(run("reader", "prompt", "p", "environment", "LANG=C")))
                .hasMessageStartingWith("environment must be an object");
        refused(ProblemCode.INVALID, () -> planned(run("reader", "prompt", "p", "required_cleanup", "all")))
                .hasMessageStartingWith("required_cleanup must be");
    }

    @Test
    void a_directory_is_read_unless_the_agent_edits() {
        Map<String, Object> directory = Map.of("grant_ref", "g1", "subpath", "src");
        PrepareRequest.Resource read =
                new PrepareRequest.Resource("cwd", "g1", "cwd", "src", ResourceAccess.READ, ResourcePurpose.PROJECT);

        PrepareRequest reading = planned(run("reader", "prompt", "p", "directory", directory));
        PrepareRequest editing = planned(run("editor", "prompt", "p", "directory", directory, "isolated", true));
        PrepareRequest told = planned(run(
                "editor", "prompt", "p", "directory", Map.of("grant_ref", "g1", "subpath", "src", "access", "read")));

        assertThat(reading.resources()).containsExactly(read);
        assertThat(reading.launch().workingDirectoryRef()).isEqualTo("cwd");
        assertThat(editing.resources().getFirst().access()).isEqualTo(ResourceAccess.WRITE);
        assertThat(editing.options()).isEqualTo(Map.of("isolated", true));
        assertThat(told.resources()).containsExactly(read);
    }

    @Test
    void a_session_profile_leaves_its_input_open_until_the_session_ends() {
        PrepareRequest.Launch launch = planned(run("talker", "prompt", "hi")).launch();

        assertThat(launch.stdin()).isEqualTo("{\"say\":\"hi\"}\n");
        assertThat(launch.stdinEof()).isFalse();
        assertThat(launch.sessionEndStdinClose()).isTrue();
        refused(ProblemCode.INVALID, () -> planned(run("talker", "prompt", "x".repeat(65_530))))
                .hasMessageStartingWith("prompt is too long: as this driver sends it");
    }

    @Test
    void a_program_whose_prompt_is_an_argument_finds_its_input_at_its_end() {
        PrepareRequest.Launch launch = planned(run("plain", "prompt", "-v")).launch();

        assertThat(launch.argv()).containsExactly("--", "-v");
        assertThat(launch.stdin()).isEmpty();
        assertThat(launch.stdinEof()).isTrue();
        assertThat(planned(run("screen")).launch().stdin()).isNull();
        assertThat(planned(run("screen")).launch().stdinEof()).isFalse();
    }

    @Test
    void a_window_needs_no_prompt_and_has_a_usual_size() {
        assertThat(planned(run("screen")).launch().window()).isEqualTo(new TerminalSize(40, 120));
        assertThat(planned(run("screen", "window", Map.of("rows", 24L, "cols", 80L)))
                        .launch()
                        .window())
                .isEqualTo(new TerminalSize(24, 80));
        refused(
                        ProblemCode.INVALID,
                        () -> planned(run("reader", "prompt", "p", "window", Map.of("rows", 1L, "cols", 1L))))
                .hasMessageStartingWith("window needs a policy whose profile is a window");
    }

    @ParameterizedTest
    @CsvSource({"reader", "talker"})
    void every_other_profile_needs_a_prompt(String policy) {
        refused(ProblemCode.INVALID, () -> planned(run(policy))).hasMessageStartingWith("prompt is required");
    }

    @Test
    void a_policy_that_runs_no_agent_here_is_refused() {
        refused(ProblemCode.DENIED, () -> planned(run("none", "prompt", "p")))
                .hasMessageStartingWith("policy_ref names");
        refused(ProblemCode.INVALID, () -> planned(run("shell", "prompt", "p")))
                .hasMessageStartingWith("policy_ref selects the driver command, which runs no agent");
        refused(ProblemCode.UNSUPPORTED_CAPABILITY, () -> planned(run("lost", "prompt", "p")))
                .hasMessageStartingWith("policy_ref selects the driver 'nobody'");
        refused(ProblemCode.UNSUPPORTED_CAPABILITY, () -> planned(run("odd", "prompt", "p")))
                .hasMessageStartingWith("policy_ref selects the profile 'cloud'")
                .hasMessageEndingWith("it has batch, plain, session, window");
        refused(ProblemCode.INVALID, () -> planned(run("reader", "prompt", "p", "driver", "claude")))
                .hasMessage("driver must be the policy's, which is fixture");
    }

    @Test
    void a_session_begins_a_conversation_and_then_goes_on_with_it() throws IOException {
        AgentRunRequest turn = run("reader", "prompt", "p", "session_ref", "team/1");
        String id = AgentConversation.id(OWNER, "team/1");

        PrepareRequest first = planned(turn);
        assertThat(first.launch().argv()).endsWith("--begin", id);
        assertThat(first.sessionRef()).isEqualTo("team/1");
        assertThat(first.launch().homeRef()).isEqualTo("home");
        assertThat(first.resources())
                .containsExactly(new PrepareRequest.Resource(
                        "home", "session-g", "session", "", ResourceAccess.WRITE, ResourcePurpose.SESSION));
        conversationOf("team/1");
        assertThat(planned(turn).launch().argv()).endsWith("--resume", id);
    }

    @Test
    void resume_that_contradicts_the_home_is_a_conflict() throws IOException {
        AgentRunRequest resume = run("reader", "prompt", "p", "session_ref", "s", "resume", true);
        AgentRunRequest fresh = run("reader", "prompt", "p", "session_ref", "s", "resume", false);

        refused(ProblemCode.CONFLICT, () -> planned(resume)).hasMessageContaining("has no conversation");
        assertThat(planned(fresh).launch().argv()).contains("--begin");
        conversationOf("s");
        assertThat(planned(resume).launch().argv()).contains("--resume");
        refused(ProblemCode.CONFLICT, () -> planned(fresh)).hasMessageContaining("begin another session_ref");
    }

    @Test
    void a_conversation_is_of_one_owner_and_one_session() {
        assertThat(AgentConversation.id("ann", "s"))
                .isEqualTo(AgentConversation.id("ann", "s"))
                .isNotEqualTo(AgentConversation.id("ann", "t"))
                .isNotEqualTo(AgentConversation.id("bob", "s"));
    }

    @Test
    void ids_follow_from_the_key_and_are_new_without_one() {
        AgentRunRequest keyed = run("reader", "prompt", "p", "idempotency_key", "k");
        AgentRunRequest free = run("reader", "prompt", "p");

        assertThat(planned(keyed)).isEqualTo(planned(keyed));
        assertThat(planned(keyed).attemptId())
                .isNotEqualTo(AgentRuns.identity("bob", keyed).attemptId());
        assertThat(planned(free).attemptId()).isNotEqualTo(planned(free).attemptId());
        assertThat(planned(free).idempotencyKey()).isNotEqualTo(planned(free).idempotencyKey());
    }

    @Test
    void a_repeated_body_finds_its_attempt_and_another_one_is_a_conflict() throws IOException {
        AgentRunRequest turn = run("reader", "prompt", "p", "session_ref", "s", "idempotency_key", "k");
        PrepareRequest admitted = planned(turn);
        conversationOf("s");

        assertThatCode(() -> AgentRuns.requireSame(admitted, turn)).doesNotThrowAnyException();
        refused(
                        ProblemCode.CONFLICT,
                        () -> AgentRuns.requireSame(
                                admitted, run("reader", "prompt", "q", "session_ref", "s", "idempotency_key", "k")))
                .hasMessageStartingWith("idempotency_key was used before");
    }

    @Test
    void the_binding_is_the_body_and_not_what_the_home_has_become() throws IOException {
        AgentRunRequest turn = run("reader", "prompt", "p", "session_ref", "s", "idempotency_key", "k");
        PrepareRequest first = planned(turn);
        conversationOf("s");

        assertThat(planned(turn).digest()).isNotEqualTo(first.digest());
        assertThat(planned(turn).bindingRef()).isEqualTo(first.bindingRef());
        assertThat(planned(run("reader", "prompt", "q", "session_ref", "s", "idempotency_key", "k"))
                        .bindingRef())
                .isNotEqualTo(first.bindingRef());
    }
}
