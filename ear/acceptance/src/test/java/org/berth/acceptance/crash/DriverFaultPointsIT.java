package org.berth.acceptance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.berth.acceptance.RecordingProgram;
import org.berth.fault.FaultPoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The server dies between the steps that make an agent's home and directory ready and take them away, each time with the
 * next point chosen for the boot that follows. The retained home has one holder all along, its login is whole or its
 * session is refused, and what the agent did not commit is still there at the end.
 */
class DriverFaultPointsIT {
    private static final int KILLED = 137;
    private static final String LOGIN = "{\"OPENAI_API_KEY\":\"canary-login\"}";
    private static final String SESSION = "kept";
    private static final String OTHER = "other";
    private static final String CUT = "cut";

    private final BerthServer server = BerthServer.create("driver-faults");
    private final RecordingProgram program = new RecordingProgram(server, "codex");
    private final Path repository = server.directory("repository");
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

        String cut = dieAtStart(FaultPoint.AGENT_LOGIN_WRITTEN, CUT, () -> grant = issueGrant());
        String seeded = dieAtStart(FaultPoint.AGENT_SEEDED, SESSION, () -> endedUnstarted(cut, CUT));
        String configured = dieAtStart(FaultPoint.AGENT_CONFIGURED, SESSION, () -> endedUnstarted(seeded, SESSION));
        String planned = dieAtStart(FaultPoint.PREPARER_PLANNED, SESSION, () -> endedUnstarted(configured, SESSION));
        String setUp = dieAtStart(FaultPoint.PREPARER_SET_UP, OTHER, () -> endedUnstarted(planned, SESSION));

        boot(FaultPoint.PREPARER_CLEANED);
        Api api = server.api();
        String working = prepared(SESSION);
        api.start(working).expect(200);
        Path worktree = Path.of("/proc/" + program.awaitStart(1) + "/cwd").toRealPath();
        assertThat(worktree).isNotEqualTo(repository.toRealPath());
        expectHeld(SESSION);
        assertThat(home(working).resolve(".codex/auth.json")).hasContent(LOGIN);
        program.go();
        api.awaitExit(working);
        expectRefusedAtStart(CUT);
        String malformed = prepared("malformed");
        String changed = prepared("changed");
        dieAt(FaultPoint.PREPARER_CLEANED, () -> api.cleanUp(working));
        editDeliveries(malformed, changed);

        server.javaOptions().start();
        expectHeld(SESSION);
        cleanUp(working);
        assertThat(server.api().evidenceKinds(working)).contains("workdir_preparer.retained");
        assertThat(worktree.resolve("work.txt")).hasContent("uncommitted\n");
        prepared(SESSION);
        endedUnstarted(setUp, OTHER);
        try (Stream<Path> worktrees = Files.list(worktree.getParent())) {
            assertThat(worktrees.filter(Files::isDirectory))
                    .as("of those only the one with work")
                    .containsExactly(worktree);
        }
        for (String each : List.of(malformed, changed)) {
            server.api().start(each).expectProblem(500, "STORAGE");
            assertThat(server.api().evidenceKinds(each)).contains("configuration.refused", "child.not_started");
            cleanUp(each);
        }
        assertThat(program.starts()).hasSize(1);
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

    private void boot(FaultPoint point) {
        server.javaOptions("-Dberth.fault=" + point.name()).start();
    }

    private String dieAtStart(FaultPoint point, String session, Runnable before) {
        boot(point);
        before.run();
        String id = prepared(session);
        dieAt(point, () -> server.api().start(id));
        return id;
    }

    private void dieAt(FaultPoint point, Runnable operation) {
        try {
            operation.run();
        } catch (UncheckedIOException cut) {
            assertThat(cut).as("the answer at %s", point).hasMessageContaining("/attempts/");
        }
        assertThat(server.awaitEnd()).as("the server's status at %s", point).isEqualTo(KILLED);
        hit.add(point);
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
