package org.berth.acceptance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
                workdir_preparers: [ git-worktree ]
                credentials:
                  login: { kind: file, driver: codex, source: { file: "%s" } }
                policies:
                  default: { driver: command }
                  agent: { driver: codex, profile: batch, executable: "%s", edits: true, credentials: [ login ] }
                """.formatted(login, program.path()));
        program.script("echo uncommitted > work.txt");

        String seeded = dieAtStart(FaultPoint.AGENT_SEEDED, () -> grant = issueGrant());
        String configured = dieAtStart(FaultPoint.AGENT_CONFIGURED, () -> notStarted(seeded));
        String planned = dieAtStart(FaultPoint.PREPARER_PLANNED, () -> notStarted(configured));
        String setUp = dieAtStart(FaultPoint.PREPARER_SET_UP, () -> notStarted(planned));

        boot(FaultPoint.PREPARER_CLEANED);
        Api api = server.api();
        notStarted(setUp);
        String working = prepare().expect(201).text("attempt", "attempt_id");
        api.start(working).expect(200);
        long pid = program.awaitStart(1);
        Path worktree = Path.of("/proc/" + pid + "/cwd").toRealPath();
        expectHeld();
        assertThat(home(working).resolve(".codex/auth.json")).hasContent(LOGIN);
        program.go();
        api.awaitExit(working);
        dieAt(FaultPoint.PREPARER_CLEANED, () -> api.cleanUp(working));

        server.javaOptions().start();
        cleanUp(working);
        assertThat(server.api().evidenceKinds(working)).contains("workdir_preparer.retained");
        assertThat(worktree.resolve("work.txt")).hasContent("uncommitted\n");
        assertThat(program.starts()).hasSize(1);
        assertThat(hit)
                .containsExactlyInAnyOrder(
                        FaultPoint.AGENT_SEEDED,
                        FaultPoint.AGENT_CONFIGURED,
                        FaultPoint.PREPARER_PLANNED,
                        FaultPoint.PREPARER_SET_UP,
                        FaultPoint.PREPARER_CLEANED);
        assertThat(server.children()).isEmpty();
    }

    private void boot(FaultPoint point) {
        server.javaOptions("-Dberth.fault=" + point.name()).start();
    }

    private String dieAtStart(FaultPoint point, Runnable before) {
        boot(point);
        before.run();
        String id = prepare().expect(201).text("attempt", "attempt_id");
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
    private void notStarted(String id) {
        server.api().awaitState(id, "exited");
        assertThat(server.api().evidenceKinds(id)).contains("child.not_started");
        assertThat(program.starts()).isEmpty();
        expectHeld();
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

    private void expectHeld() {
        prepare().expectProblem(409, "CONFLICT");
    }

    /** A run in the retained home and in a worktree of the repository. */
    private Answer prepare() {
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("policy_ref", "agent");
        run.put("prompt", "work");
        run.put("session_ref", SESSION);
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
