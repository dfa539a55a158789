package org.berth.acceptance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A killed supervisor's children go on, and nothing is said of them that nobody saw. */
class SupervisorKillIT {
    private static BerthServer server;

    @BeforeAll
    static void start() {
        server = BerthServer.create("supervisor-kill").start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @Test
    void liveChildrenAreAdoptedAndUnseenExitsAreUnknown() throws Exception {
        Api api = server.api();
        Child lasting = Child.untilTerm(server, 3).start(api);
        Child ending = Child.untilGo(server, 5).start(api);
        Child window = new Child(server, "trap 'echo hup >> \"$D/signals\"; exit 1' HUP; while :; do sleep 0.1; done");
        window.launch.window(24, 80);
        window.start(api);
        List.of(lasting, ending, window).forEach(Child::pid);

        signal("STOP", server.pid());
        try {
            server.killSupervisor();
            window.awaitGone();
            ending.go();
            ending.awaitGone();
        } finally {
            signal("CONT", server.pid());
        }

        assertThat(window.lines("signals")).containsExactly("hup");
        Records.exitedUnseen(api, ending);
        Records.exitedUnseen(api, window);
        api.awaitEvidence(lasting.id, "carrier.replaced");
        api.awaitEvidence(lasting.id, "output.lost");
        assertThat(lasting.lives()).isTrue();
        assertThat(api.status(lasting.id).expect(200).at("liveness", "alive")).isEqualTo(true);
        api.reconcile(lasting.id).expect(200);
        assertThat(api.evidenceKinds(lasting.id)).contains("reconcile.supervised");

        api.stop(lasting.id, "cooperative").expect(200);
        lasting.awaitGone();
        assertThat(lasting.lines("signals")).containsExactly("term");
        Records.exitedUnseen(api, lasting);
        assertThat(api.evidenceKinds(lasting.id)).contains("signal.term");
        List<Child> children = List.of(lasting, ending, window);
        children.forEach(child -> Records.cleanUp(api, child));
        Records.noOrphans(server, children);
        children.forEach(child -> assertThat(child.starts()).hasSize(1));
    }

    @Test
    void aClientOfAnAdoptedAttemptHearsOfItsEnd() {
        Api api = server.api();
        Child child = Child.untilGo(server, 0).start(api);
        child.pid();
        server.killSupervisor();
        api.awaitEvidence(child.id, "carrier.replaced");

        try (org.berth.acceptance.StreamClient stream = org.berth.acceptance.StreamClient.attach(api, child.id)) {
            child.go();
            assertThat(stream.awaitExit()).doesNotContainKeys("code", "signal");
            assertThat(stream.events()).noneMatch(event -> "fenced".equals(event.get("type")));
        }
        Records.exitedUnseen(api, child);
        Records.cleanUp(api, child);
    }

    @Test
    void bothKilledLoseNothingThatLives() {
        Api before = server.api();
        Child lasting = Child.untilTerm(server, 0).start(before);
        Child ending = Child.untilGo(server, 6).start(before);
        List.of(lasting, ending).forEach(Child::pid);

        server.kill9();
        server.killSupervisor();
        ending.go();
        ending.awaitGone();
        server.start();

        Api api = server.api();
        Records.exitedUnseen(api, ending);
        api.awaitEvidence(lasting.id, "carrier.replaced");
        assertThat(api.attempt(lasting.id)).containsEntry("execution_state", "running");
        assertThat(lasting.lives()).isTrue();
        for (Child child : List.of(lasting, ending)) {
            Records.endAndCleanUp(api, child);
            assertThat(child.starts()).hasSize(1);
        }
    }

    @Test
    void anIdentityThatIsNotOursIsAbsentAndNeverSignalled() throws Exception {
        Api before = server.api();
        Child ticks = Child.untilTerm(server, 0).start(before);
        Child boot = Child.untilTerm(server, 0).start(before);
        List<Child> children = List.of(ticks, boot);
        children.forEach(Child::pid);

        server.kill9();
        server.killSupervisor();
        forgetSupervisorState();
        change("UPDATE attempts SET child_start_ticks = child_start_ticks + 1 WHERE attempt_id = '" + ticks.id + "';"
                + "UPDATE attempts SET child_boot_id = '00000000-0000-0000-0000-000000000000' WHERE attempt_id = '"
                + boot.id + "'");
        server.start();

        Api api = server.api();
        for (Child child : children) {
            Await.until(
                    "a stop of " + child.id, () -> api.stop(child.id, "forced").status() == 200);
            assertThat(api.awaitExit(child.id)).containsOnlyKeys("unknown");
            assertThat(api.attempt(child.id)).containsEntry("exit_source", "reconcile");
            assertThat(api.evidenceKinds(child.id))
                    .contains("reconcile.absent")
                    .doesNotContain("signal.term", "signal.kill", "signal.group");
            assertThat(api.cleanUp(child.id).expect(200).at("cleanup_state")).isEqualTo("complete");
            assertThat(child.lives())
                    .as("the process under the number of %s", child.id)
                    .isTrue();
            assertThat(child.lines("signals")).isEmpty();
            ProcessHandle.of(child.pid()).orElseThrow().destroyForcibly();
            child.awaitGone();
        }
    }

    private static void forgetSupervisorState() throws IOException {
        try (var entries = Files.list(server.home().resolve("supervisor"))) {
            for (Path state :
                    entries.filter(path -> path.toString().endsWith("-state")).toList()) {
                try (var tree = Files.walk(state)) {
                    for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(path);
                    }
                }
            }
        }
    }

    private static void change(String sql) throws Exception {
        Path jar;
        try (var modules = Files.walk(Path.of(System.getProperty("berth.root", "../.."))
                .resolve("target/server/modules/system/layers/base/com/h2database"))) {
            jar = modules.filter(path -> path.toString().endsWith(".jar"))
                    .findFirst()
                    .orElseThrow();
        }
        List<String> command = new ArrayList<>(BerthServer.asServerUser());
        command.addAll(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                jar.toAbsolutePath().toString(),
                "org.h2.tools.Shell",
                "-url",
                "jdbc:h2:file:" + server.home().resolve("data/berth") + ";IFEXISTS=TRUE",
                "-user",
                "berth",
                "-sql",
                sql));
        Process shell = new ProcessBuilder(command)
                .directory(server.directory("h2").toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(shell.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(shell.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(said).as("H2 says").contains("Update count: 1").doesNotContain("Update count: 0");
    }

    private static void signal(String name, long pid) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
        assertThat(kill.waitFor()).isZero();
    }
}
