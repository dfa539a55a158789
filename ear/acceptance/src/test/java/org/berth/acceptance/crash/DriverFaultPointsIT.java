package org.berth.acceptance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.FaultPauses;
import org.berth.acceptance.Json;
import org.berth.acceptance.Proc;
import org.berth.acceptance.RecordingProgram;
import org.berth.fault.FaultPoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The server dies between the steps that make an agent's home and directory ready, with a start at each of them, then while
 * an agent works in its retained home, then between the steps that take its directory away. Each retained home has one
 * holder all along, its login is whole or its session is refused, and what the agent did not commit is still there at the
 * end.
 */
class DriverFaultPointsIT {
    private static final String LOGIN = "{\"OPENAI_API_KEY\":\"canary-login\"}";
    private static final String CUT = "cut";
    private static final String SEEDED = "seeded";
    private static final String CONFIGURED = "configured";
    private static final String PLANNED = "planned";
    private static final String SET_UP = "set-up";

    private final BerthServer server = BerthServer.create("driver-faults");
    private final RecordingProgram program = new RecordingProgram(server, "codex");
    private final Path repository = server.directory("repository");
    private final FaultPauses pauses = new FaultPauses(server);
    private final Set<FaultPoint> hit = EnumSet.noneOf(FaultPoint.class);
    private String grant;

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void everyPointLeavesAHomeWithOneHolderAndNoWorkLost() throws Exception {
        makeRepository();
        Path login = server.write(server.directory("secrets").resolve("login"), LOGIN);
        server.write(server.home().resolve("host.yaml"), """
                sweep: { every: 300s, bound: 64, reconcile_timeout: 5s }
                workdir_preparers: [ git-worktree ]
                credentials:
                  login: { kind: file, driver: codex, source: { file: "%s" } }
                policies:
                  default: { driver: command }
                  agent: { driver: codex, profile: batch, executable: "%s", edits: true, credentials: [ login ] }
                """.formatted(login, program.path()));
        program.script("echo uncommitted > work.txt");

        boot();
        grant = issueGrant();
        String cut = heldAtStart(FaultPoint.AGENT_LOGIN_WRITTEN, CUT);
        String seeded = heldAtStart(FaultPoint.AGENT_SEEDED, SEEDED);
        String configured = heldAtStart(FaultPoint.AGENT_CONFIGURED, CONFIGURED);
        String planned = heldAtStart(FaultPoint.PREPARER_PLANNED, PLANNED);
        String setUp = heldAtStart(FaultPoint.PREPARER_SET_UP, SET_UP);
        pauses.kill();

        boot();
        endedUnstarted(cut, CUT);
        endedUnstarted(seeded, SEEDED);
        endedUnstarted(configured, CONFIGURED);
        endedUnstarted(planned, PLANNED);
        program.go();
        works(SEEDED);
        works(CONFIGURED);
        program.stay();
        String working = started(PLANNED);
        long agent = program.awaitStart(3);
        Path worktree = Path.of("/proc/" + agent + "/cwd").toRealPath();
        assertThat(worktree).isNotEqualTo(repository.toRealPath());
        expectHeld(PLANNED);
        server.kill9();

        boot();
        expectHeld(PLANNED);
        server.api().awaitState(working, "running");
        assertThat(Proc.lives(agent)).as("the agent outlives its server").isTrue();
        assertThat(home(working).resolve(".codex/auth.json")).hasContent(LOGIN);
        program.go();
        server.api().awaitExit(working);
        String malformed = prepared("malformed");
        String changed = prepared("changed");
        hold(FaultPoint.PREPARER_CLEANED, () -> server.api().cleanUp(working));
        pauses.kill();
        editDeliveries(malformed, changed);

        boot();
        expectHeld(PLANNED);
        cleanUp(working);
        assertThat(server.api().evidenceKinds(working)).contains("workdir_preparer.retained");
        assertThat(worktree.resolve("work.txt")).hasContent("uncommitted\n");
        prepared(PLANNED);
        endedUnstarted(setUp, SET_UP);
        expectRefusedAtStart(CUT);
        try (Stream<Path> worktrees = Files.list(worktree.getParent())) {
            assertThat(worktrees.filter(Files::isDirectory))
                    .as("of those only the ones with work")
                    .hasSize(3)
                    .contains(worktree);
        }
        for (String each : List.of(malformed, changed)) {
            server.api().start(each).expectProblem(500, "STORAGE");
            assertThat(server.api().evidenceKinds(each)).contains("configuration.refused", "child.not_started");
            cleanUp(each);
        }
        assertThat(program.starts()).hasSize(3);
        assertThat(hit)
                .containsExactlyInAnyOrderElementsOf(
                        EnumSet.range(FaultPoint.PREPARER_PLANNED, FaultPoint.AGENT_CONFIGURED));
        assertThat(server.children()).isEmpty();
    }

    /** What only somebody beside the server can do: one text that is no configuration, one whose digest is another's. */
    private void editDeliveries(String malformed, String changed) throws SQLException {
        try (var connection = DriverManager.getConnection(
                        "jdbc:h2:file:" + server.home().resolve("data/berth") + ";IFEXISTS=TRUE;WRITE_DELAY=0",
                        "berth",
                        "");
                var update = connection.prepareStatement("update attempt_deliveries set delivery_json = coalesce(?,"
                        + " replace(delivery_json, 'sandbox_mode', 'sandbox-mode')) where attempt_id = ?")) {
            update.setString(1, "{}");
            update.setString(2, malformed);
            assertThat(update.executeUpdate()).isEqualTo(1);
            update.setString(1, null);
            update.setString(2, changed);
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
    }

    private void boot() {
        server.javaOptions(pauses.option()).start();
    }

    /** A start that waits at {@code point}. @return the attempt's id */
    private String heldAtStart(FaultPoint point, String session) {
        String id = prepared(session);
        hold(point, () -> server.api().start(id));
        return id;
    }

    private void hold(FaultPoint point, Runnable operation) {
        pauses.hold(point, operation);
        hit.add(point);
    }

    private String started(String session) {
        String id = prepared(session);
        server.api().start(id).expect(200);
        return id;
    }

    /** A whole run in a session that a death left, with its login and its own work. */
    private void works(String session) {
        String id = started(session);
        server.api().awaitExit(id);
        assertThat(home(id).resolve(".codex/auth.json")).hasContent(LOGIN);
        cleanUp(id);
    }

    /** The attempt never had a child; until its cleanup it holds the session, and then no more. */
    private void endedUnstarted(String id, String session) {
        server.api().awaitState(id, "exited");
        assertThat(server.api().evidenceKinds(id)).contains("child.not_started");
        assertThat(server.api().attempt(id)).containsEntry("exit_source", "not_started");
        expectHeld(session);
        cleanUp(id);
    }

    private void cleanUp(String id) {
        Await.until("cleanup of " + id, () -> server.api().cleanUp(id).status() == 200);
        assertThat(server.api().attempt(id)).containsEntry("cleanup_state", "complete");
        List<Map<String, Object>> rows = server.api().evidence(id);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i).get("sequence")).as("evidence of %s", id).isEqualTo(i + 1L);
        }
    }

    /** A home whose first seed was cut is never taken for a whole one. */
    private void expectRefusedAtStart(String session) {
        String id = prepared(session);
        server.api().start(id).expectProblem(409, "CONFLICT");
        assertThat(server.api().evidenceKinds(id)).contains("session.failed", "child.not_started");
        cleanUp(id);
    }

    private void expectHeld(String session) {
        prepare(session).expectProblem(409, "CONFLICT");
    }

    /** A run in the retained home and in a worktree of the repository. */
    private String prepared(String session) {
        return prepare(session).expect(201).text("attempt", "attempt_id");
    }

    private Answer prepare(String session) {
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("policy_ref", "agent");
        run.put("prompt", "work");
        run.put("session_ref", session);
        run.put("directory", Map.of("grant_ref", grant));
        run.put("worktree", true);
        return server.api().post("/api/placement/agent-runs", run);
    }

    private String issueGrant() {
        return server.api()
                .post(
                        "/api/placement/grants",
                        Map.of("root", repository.toString(), "subpath", "", "access", "write", "purpose", "project"))
                .expect(201)
                .text("grant_ref");
    }

    private Path home(String id) {
        return server.api().evidence(id).stream()
                .filter(row -> "session.attached".equals(row.get("kind")))
                .map(row -> server.home().resolve("placement/sessions/" + Json.at(row, "detail", "key") + "/home"))
                .findFirst()
                .orElseThrow();
    }

    private void makeRepository() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(BerthServer.asServerUser());
        command.addAll(List.of(
                "sh",
                "-c",
                "git init -q . && git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m first"));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(repository.toFile()).inheritIO();
        builder.environment().put("HOME", repository.toString());
        assertThat(builder.start().waitFor()).as("git's status").isZero();
    }
}
