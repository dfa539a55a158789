package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.LaunchRequests.aLaunch;
import static org.berth.acceptance.StreamClient.STDOUT;
import static org.berth.acceptance.StreamClient.TTY;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A real coding agent, piped and in a window, against a model's service on loopback. */
class AgentIT {
    private static final String ANSWER = "pong-from-loopback";
    private static final Duration TURN = Duration.ofSeconds(60);

    /** How much of an approved key its settings file holds. Source: Claude Code's {@code customApiKeyResponses}. */
    private static final int APPROVED_CHARACTERS = 20;

    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();
    private final Path program = AgentProgram.CLAUDE.installed();
    private final String session = "agent-" + UUID.randomUUID().toString().substring(0, 8);
    private final String sessionGrant = grant(server.directory("agent-session"), "session");
    private final Path work = server.directory("agent-work");
    private final String workGrant = grant(work, "project");

    private String grant(Path root, String purpose) {
        return api.post(
                        "/api/placement/grants",
                        Map.of("root", root.toString(), "subpath", "", "access", "write", "purpose", purpose))
                .expect(201)
                .text("grant_ref");
    }

    @Test
    void anAgentAnswersThroughAPipeAndKeepsItsHistory() throws Exception {
        String conversation = UUID.randomUUID().toString();
        Path home = prepareHome();
        try (ModelEndpoint model = new ModelEndpoint(ANSWER)) {
            String id = api.prepared(
                    agent(model, home, aLaunch(), "-p", "ping", "--session-id", conversation, "--strict-mcp-config"));
            try (StreamClient stream = StreamClient.attach(api, id)) {
                api.start(id).expect(200);
                stream.awaitEnds(STDOUT);
                assertThat(stream.text(STDOUT)).isEqualTo(ANSWER + "\n");
                assertThat(stream.awaitExit()).containsEntry("code", 0L);
            }
            assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 0L));
            expectAskedWithTheReferencedKey(model);
            api.cleanUp(id).expect(200);
        }
        expectHistory(home, conversation);
    }

    @Test
    void anAgentAnswersInAWindowAndLeavesByItsOwnCommand() throws Exception {
        String conversation = UUID.randomUUID().toString();
        Path home = prepareHome();
        try (ModelEndpoint model = new ModelEndpoint(ANSWER)) {
            LaunchRequests launch =
                    agent(model, home, aLaunch().window(40, 120), "--session-id", conversation, "--strict-mcp-config");
            String id = api.prepared(launch);
            try (StreamClient stream = StreamClient.attach(api, id)) {
                api.start(id).expect(200);
                awaitScreen(stream, "\u276f");
                type(stream, "ping");
                stream.input("\r".getBytes(StandardCharsets.UTF_8));
                awaitScreen(stream, ANSWER);
                expectAskedWithTheReferencedKey(model);
                type(stream, "/exit");
                stream.input("\r".getBytes(StandardCharsets.UTF_8));
                assertThat(stream.awaitExit()).containsEntry("code", 0L);
            }
            assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 0L));
            api.cleanUp(id).expect(200);
        }
        expectHistory(home, conversation);
    }

    /** Runs a small first command of the session, which leaves the agent's settings; the session's home. */
    private Path prepareHome() throws IOException {
        String key = SharedHost.FILE_SECRET;
        String settings = Json.write(Map.of(
                "hasCompletedOnboarding",
                true,
                "projects",
                Map.of(work.toRealPath().toString(), Map.of("hasTrustDialogAccepted", true)),
                "customApiKeyResponses",
                Map.of("approved", List.of(key.substring(key.length() - APPROVED_CHARACTERS)), "rejected", List.of())));
        String id = api.prepared(aLaunch()
                .environment("SETTINGS", settings)
                .script("mkdir \"$HOME/claude\" && printf %s \"$SETTINGS\" > \"$HOME/claude/.claude.json\""
                        + " && printf %s \"$HOME\"")
                .session(session, sessionGrant));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            assertThat(stream.awaitEnds(STDOUT).awaitExit()).containsEntry("code", 0L);
            api.awaitExit(id);
            api.cleanUp(id).expect(200);
            return Path.of(stream.text(STDOUT));
        }
    }

    private LaunchRequests agent(ModelEndpoint model, Path home, LaunchRequests launch, String... arguments) {
        return launch.of(program.toString(), arguments)
                .session(session, sessionGrant)
                .workingDirectory(workGrant)
                .reference("ANTHROPIC_API_KEY", "secrets/file")
                .environment("ANTHROPIC_BASE_URL", model.url())
                .environment("CLAUDE_CONFIG_DIR", home.resolve("claude").toString())
                .environment("DISABLE_AUTOUPDATER", "1")
                .environment("DISABLE_INSTALLATION_CHECKS", "1")
                .environment("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
                .environment("CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL", "1")
                .environment("TERM", "xterm-256color");
    }

    /** Types it as a person does and waits until the screen shows it. */
    private static void type(StreamClient stream, String text) {
        stream.input(text.getBytes(StandardCharsets.UTF_8));
        awaitScreen(stream, text);
    }

    private static void awaitScreen(StreamClient stream, String text) {
        Await.value("\"" + text + "\" on the screen", TURN, () -> screen(stream), seen -> seen.contains(text));
    }

    /** What was written to the screen, without the terminal's commands; a step to the right is a space. */
    static String screen(StreamClient stream) {
        return stream.text(TTY)
                .replaceAll("\u001b\\[1?C", " ")
                .replaceAll("\u001b\\][^\u0007\u001b]*(\u0007|\u001b\\\\)", "")
                .replaceAll("\u001b\\[[0-9;?<>=]*[ -/]*[@-~]", "");
    }

    private static void expectAskedWithTheReferencedKey(ModelEndpoint model) {
        assertThat(model.questions())
                .isNotEmpty()
                .allSatisfy(question -> assertThat(question.key()).isEqualTo(SharedHost.FILE_SECRET));
        assertThat(model.questions())
                .anySatisfy(question -> assertThat(question.body()).contains("ping"));
    }

    private static void expectHistory(Path home, String conversation) throws IOException {
        Path projects = home.resolve("claude/projects");
        try (Stream<Path> tree = Files.walk(projects)) {
            Path history = tree.filter(path -> path.endsWith(conversation + ".jsonl"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no history of " + conversation + " below " + projects));
            assertThat(history.getParent().getParent()).isEqualTo(projects);
            assertThat(Files.readAllLines(history))
                    .anySatisfy(row -> assertThat(row).contains("\"type\":\"user\"", "ping"))
                    .anySatisfy(row -> assertThat(row).contains("\"type\":\"assistant\"", ANSWER));
        }
    }
}
