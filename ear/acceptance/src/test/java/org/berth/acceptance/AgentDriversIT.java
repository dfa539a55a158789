package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.StreamClient.STDERR;
import static org.berth.acceptance.StreamClient.STDOUT;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The real agents under the drivers, each through a policy, against a model's service on loopback. */
class AgentDriversIT {
    private static final Duration TURN = Duration.ofSeconds(120);

    private static AgentHost host;
    private static String grant;

    private final Api api = host.server.api();
    private HomeWatch watch;

    @BeforeAll
    static void open() {
        host = new AgentHost("drivers").start();
        grant = host.grantTools();
    }

    @AfterAll
    static void close() {
        host.close();
    }

    @BeforeEach
    void watch() {
        watch = new HomeWatch(host.userHome);
    }

    @AfterEach
    void theOperatorsHomeIsUntouched() {
        try (HomeWatch ending = watch) {
            ending.expectUntouched();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTurnCallsBerthsToolsAndTheNextOneGoesOnInTheRetainedHome(AgentProgram program) throws Exception {
        String session = "session-" + unique();
        String first = AgentHost.CALL + " first-" + unique();
        String second = "second-" + unique();

        Turn one = turn(program.command(), session, first);
        assertThat(one.output).contains(AgentHost.ANSWER);
        assertThat(asked(first))
                .as("with the answer to the tool's call, under the grant that the policy refers to")
                .anySatisfy(question -> assertThat(question.said()).contains(grant))
                .allSatisfy(question -> expectKey(program, question));
        Turn two = turn(program.command(), session, second);
        assertThat(two.output).contains(AgentHost.ANSWER);
        assertThat(asked(second))
                .anySatisfy(question -> assertThat(question.said()).contains(first, AgentHost.ANSWER, second))
                .allSatisfy(question -> expectKey(program, question));
        assertThat(two.home).isEqualTo(one.home);
        try (Stream<Path> kept = Files.list(two.home)) {
            assertThat(kept).isNotEmpty();
        }
    }

    @Test
    void anAgentUsesAProviderOfItsOwnAsThatExpects() {
        String prompt = "own-" + unique();
        assertThat(turn("opencode-anthropic", null, prompt).output).contains(AgentHost.ANSWER);
        assertThat(asked(prompt)).isNotEmpty().allSatisfy(question -> {
            assertThat(question.path()).isEqualTo("/v1/messages");
            assertThat(question.headers()).containsEntry("x-api-key", host.secrets.get("anthropic"));
        });
    }

    @ParameterizedTest
    @EnumSource
    void aWindowAnswersInItsPrivateHomeAndLeavesNoProcess(AgentProgram program) {
        String session = "window-" + unique();
        String prompt = "window-" + unique();
        String id = api.post(
                        "/api/placement/agent-runs",
                        Map.of(
                                "policy_ref",
                                program.command() + "-window",
                                "prompt",
                                prompt,
                                "session_ref",
                                session,
                                "window",
                                Map.of("rows", 40L, "cols", 120L)))
                .expect(201)
                .text("attempt", "attempt_id");
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            awaitScreen(stream, AgentHost.ANSWER);
            Path home = home(id);
            expectPrivate(program, home, (Long) api.attempt(id).get("pid"));
            type(stream, program == AgentProgram.CODEX ? "/quit" : "/exit");
            stream.input("\r".getBytes(StandardCharsets.UTF_8));
            assertThat(stream.awaitExit()).containsEntry("code", 0L);
        }
        assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 0L));
        api.cleanUp(id).expect(200);
        assertThat(asked(prompt)).isNotEmpty().allSatisfy(question -> expectKey(program, question));
        Await.until(
                "no process of the window is left", () -> host.server.children().isEmpty());
    }

    @Test
    void aSessionTakesTurnAfterTurnUntilItsInputIsClosedAndItsHooksTellWhatItDoes() throws Exception {
        AgentHost.Seated seated = host.takeSeat();
        String first = AgentHost.CALL + " first-" + unique();
        String second = "second-" + unique();
        String id = prepare("claude-session", "session-" + unique(), first);
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            awaitResults(stream, 1);
            Await.until("the seat is idle", () -> "idle".equals(activity(seated).get("state")));
            assertThat(asked(first))
                    .anySatisfy(question -> assertThat(question.said()).contains(grant));
            Map<String, Object> message =
                    Map.of("role", "user", "content", List.of(Map.of("type", "text", "text", second)));
            stream.input(
                    (Json.write(Map.of("type", "user", "message", message)) + "\n").getBytes(StandardCharsets.UTF_8));
            awaitResults(stream, 2);
            assertThat(api.attempt(id)).containsEntry("execution_state", "running");
            stream.closeStdin();
            assertThat(stream.awaitExit()).as(stream.text(STDERR)).containsEntry("code", 0L);
        }
        api.awaitExit(id);
        api.cleanUp(id).expect(200);
        assertThat(Json.objects(
                        api.get("/api/activity/events?seat=" + seated.seat())
                                .expect(200)
                                .json(),
                        "events"))
                .extracting(event -> event.get("hookEvent"))
                .containsSubsequence("UserPromptSubmit", "Stop", "UserPromptSubmit", "Stop");
        api.stop(seated.attemptId(), "forced").expect(200);
        assertThat(asked(second))
                .anySatisfy(question -> assertThat(question.said()).contains(first, AgentHost.ANSWER, second))
                .allSatisfy(question -> expectKey(AgentProgram.CLAUDE, question));
    }

    private Map<String, Object> activity(AgentHost.Seated seated) {
        return api.get("/api/activity/seats/" + seated.seat()).expect(200).json();
    }

    /** Each turn ends with one line of this type. */
    private static void awaitResults(StreamClient stream, int turns) {
        Await.value(
                turns + " results",
                TURN,
                () -> stream.text(STDOUT),
                seen -> seen.split("\"type\":\"result\"", -1).length - 1 == turns);
    }

    @Test
    void agyGetsExactlyItsArgumentsItsEnvironmentAndItsFiles() throws Exception {
        host.agy.script("mkdir -p \"$HOME/.gemini/antigravity-cli/conversations\""
                + " && echo > \"$HOME/.gemini/antigravity-cli/conversations/one.db\"");
        Recorded first = recorded(host.agy, "agy", "kept-agy", "say pong");
        String customization = first.home + "/customization";
        List<String> selected =
                List.of("--mode=accept-edits", "--model=model-1", "--effort=high", "--add-dir=" + customization);
        assertThat(first.arguments)
                .startsWith(selected.toArray(String[]::new))
                .endsWith("--print-timeout=24h", "--prompt=say pong")
                .hasSize(selected.size() + 2);
        assertThat(first.environment)
                .containsOnlyKeys("HOME", "PATH", "GEMINI_API_KEY", "TEAM_TOKEN", "OF_THE_POLICY", "BERTH_ATTEMPT_KEY")
                .containsEntry("GEMINI_API_KEY", host.secrets.get("gemini"))
                .containsEntry("TEAM_TOKEN", host.secrets.get("tools"));
        assertThat(first.files)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        ".gemini/antigravity-cli/antigravity-oauth-token",
                        host.secrets.get("agy_login"),
                        ".gemini/antigravity-cli/settings.json",
                        "{\"permissions\":{\"allow\":[\"mcp(*)\"]},\"trustedWorkspaces\":[\"" + first.home + "\",\""
                                + customization + "\"]}",
                        "customization/.agents/mcp_config.json",
                        "{\"mcpServers\":{\"berth\":{\"headers\":{\"Authorization\":\"Bearer ${TEAM_TOKEN}\"},"
                                + "\"serverUrl\":\"" + host.server.mcpUrl() + "/mcp\"}}}",
                        "customization/.agents/rules/berth.md",
                        "Be brief.",
                        ".gemini/antigravity-cli/conversations/one.db",
                        "\n"));
        assertThat(recorded(host.agy, "agy", "kept-agy", "again").arguments).contains("--continue", "--prompt=again");
    }

    @Test
    void grokGetsExactlyItsArgumentsItsEnvironmentAndItsFiles() throws Exception {
        Recorded first = recorded(host.grok, "grok", "kept-grok", "say pong");
        assertThat(first.arguments)
                .hasSize(7)
                .startsWith(
                        "--permission-mode=default", "--model=model-1", "--reasoning-effort=high", "--rules=Be brief.")
                .endsWith("--output-format=plain", "--single=say pong");
        assertThat(first.arguments.get(4)).matches("--session-id=[0-9a-f-]{36}");
        assertThat(first.environment)
                .containsOnlyKeys("HOME", "PATH", "GROK_HOME", "TEAM_TOKEN", "OF_THE_POLICY", "BERTH_ATTEMPT_KEY")
                .containsEntry("GROK_HOME", first.home + "/.grok");
        assertThat(first.files).containsOnlyKeys(".grok/auth.json", ".grok/config.toml");
        assertThat(first.files).containsEntry(".grok/auth.json", host.secrets.get("grok_login"));
        assertThat(first.files.get(".grok/config.toml").lines().map(String::strip))
                .contains(
                        "auto_update = false",
                        "telemetry = false",
                        "url = \"" + host.server.mcpUrl() + "/mcp\"",
                        "Authorization = \"Bearer ${TEAM_TOKEN}\"");
    }

    /** What a start was given, seen while it ran. */
    private record Recorded(
            String home, List<String> arguments, Map<String, String> environment, Map<String, String> files) {}

    private Recorded recorded(RecordingProgram program, String policy, String session, String prompt)
            throws IOException {
        program.stay();
        int before = program.starts().size();
        String id = prepare(policy, session, prompt);
        api.start(id).expect(200);
        long pid = program.awaitStart(before + 1);
        Map<String, String> environment = Proc.variables(pid);
        Path home = Path.of(environment.get("HOME"));
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> tree = Files.walk(home)) {
            for (Path file : (Iterable<Path>) tree.filter(Files::isRegularFile)::iterator) {
                files.put(home.relativize(file).toString(), Files.readString(file));
            }
        }
        Recorded recorded = new Recorded(home.toString(), program.arguments(pid), environment, files);
        program.go();
        api.awaitExit(id);
        api.cleanUp(id).expect(200);
        return recorded;
    }

    @Test
    void aLoginThatIsAbsentIsToldAndRefusesNothing() {
        Answer absent = api.prepare(host.launch("claude-login", "-p", "x")).expect(201);
        assertThat(Json.write(absent.at("notices"))).contains("LOGIN_REQUIRED");
        Answer there = api.prepare(host.launch("codex-login", "exec", "x")).expect(201);
        assertThat(there.at("notices")).isEqualTo(List.of());
        for (Answer each : List.of(absent, there)) {
            api.stop(each.text("attempt_id"), "forced").expect(200);
        }
    }

    @Test
    void whatTwoPartsOfALaunchWouldSetIsRefusedBeforeAnythingExists() {
        for (String variable : List.of("ANTHROPIC_API_KEY", "TEAM_TOKEN", "CLAUDE_CONFIG_DIR", "DISABLE_AUTOUPDATER")) {
            refused(host.launch("claude", "-p", "x").environment(variable, "planted-value"), 409, "CONFLICT")
                    .contains(variable)
                    .doesNotContain("planted-value");
        }
    }

    @Test
    void whatOnlyThePolicyDecidesIsRefused() {
        refused(host.launch("claude", "-p", "x", "--model", "other"), 400, "INVALID")
                .contains("launch.argv[2]", "--model");
        refused(host.launch("codex", "exec", "-c", "model=\"other\"", "x"), 400, "INVALID")
                .contains("launch.argv[1]");
        refused(host.launch("claude", "-p", "x").with("projections", List.of()), 400, "INVALID")
                .contains("projections");
        refused(
                        host.launch("claude", "-p", "x").with("projections", List.of("anthropic", "tools", "openai")),
                        403,
                        "DENIED")
                .contains("projections[2]");
        refused(host.launch("claude", "-p", "x").with("delivery", Map.of("files", List.of())), 400, "INVALID")
                .contains("delivery");
        refused(host.launch("claude", "-p", "x").of("/bin/true"), 403, "DENIED").contains("launch.executable");
        refused(host.launch("claude", "-p", "x").window(40, 120), 400, "INVALID")
                .contains("launch.mode");
    }

    @Test
    void anotherConfigurationThanTheHostsIsRefused() {
        LaunchRequests missing = host.launch("claude", "-p", "x");
        missing.tree().remove("configuration_digest");
        refused(missing, 400, "INVALID").contains("configuration_digest");
        LaunchRequests before = host.launch("changing", "-p", "x");
        try {
            host.change("another-model");
            refused(before, 409, "CONFLICT").contains("configuration_digest");
        } finally {
            host.change("first-model");
        }
        // The refusal left no intent behind, so the same request is new.
        api.prepare(before).expect(201);
    }

    private AbstractStringAssert<?> refused(LaunchRequests launch, int status, String code) {
        Answer answer = api.prepare(launch).expectProblem(status, code);
        api.status(launch.attemptId()).expectProblem(404, "NOT_FOUND");
        return assertThat(answer.text("error"));
    }

    /** Every variable that leads a program to its own files leads into the private home. */
    private void expectPrivate(AgentProgram program, Path home, long pid) {
        Map<String, String> environment = Proc.variables(pid);
        assertThat(environment).containsEntry("HOME", home.toString());
        List<String> own = switch (program) {
            case CLAUDE -> List.of("CLAUDE_CONFIG_DIR");
            case CODEX -> List.of("CODEX_HOME");
            case OPENCODE -> List.of("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME");
        };
        assertThat(environment).containsKeys(own.toArray(String[]::new));
        own.forEach(name -> assertThat(Path.of(environment.get(name))).startsWith(home));
        assertThat(environment.values()).noneMatch(value -> value.contains(host.userHome.toString()));
    }

    /** Types it as a person does and waits until the screen shows it. */
    private static void type(StreamClient stream, String text) {
        stream.input(text.getBytes(StandardCharsets.UTF_8));
        awaitScreen(stream, text);
    }

    private static void awaitScreen(StreamClient stream, String text) {
        Await.value("\"" + text + "\" on the screen", TURN, () -> AgentIT.screen(stream), seen -> seen.contains(text));
    }

    private void expectKey(AgentProgram program, ModelEndpoint.Question question) {
        if (program == AgentProgram.CLAUDE) {
            assertThat(question.headers()).containsEntry("x-api-key", host.secrets.get("anthropic"));
        } else {
            assertThat(question.headers()).containsEntry("authorization", "Bearer " + host.secrets.get("openai"));
        }
    }

    private List<ModelEndpoint.Question> asked(String words) {
        return host.model.questions().stream()
                .filter(question -> question.body().contains(words))
                .toList();
    }

    /** @param home the private home that it ran in */
    private record Turn(String id, String output, Path home) {}

    private Turn turn(String policy, String session, String prompt) {
        String id = prepare(policy, session, prompt);
        String output;
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            stream.awaitEnds(STDOUT, STDERR);
            output = stream.text(STDOUT);
            assertThat(stream.awaitExit())
                    .as("%s says %s %s", policy, output, stream.text(STDERR))
                    .containsEntry("code", 0L);
        }
        api.awaitExit(id);
        api.cleanUp(id).expect(200);
        return new Turn(id, output, home(id));
    }

    private String prepare(String policy, String session, String prompt) {
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("policy_ref", policy);
        run.put("prompt", prompt);
        if (session != null) {
            run.put("session_ref", session);
        }
        return api.post("/api/placement/agent-runs", run).expect(201).text("attempt", "attempt_id");
    }

    private Path home(String id) {
        List<Map<String, Object>> evidence = api.evidence(id);
        Path placement = host.server.home().resolve("placement");
        return key(evidence, "session.attached")
                .map(key -> placement.resolve("sessions").resolve(key).resolve("home"))
                .or(() -> key(evidence, "home.created")
                        .map(key -> placement.resolve("attempts").resolve(key).resolve("home")))
                .orElseThrow();
    }

    private static java.util.Optional<String> key(List<Map<String, Object>> evidence, String kind) {
        return evidence.stream()
                .filter(row -> kind.equals(row.get("kind")))
                .map(row -> (String) Json.at(row, "detail", "key"))
                .findFirst();
    }

    private static String unique() {
        return UUID.randomUUID().toString().substring(0, 8);
    }
}
