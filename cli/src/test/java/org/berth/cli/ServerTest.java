package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.berth.cli.server.ServerRecord;
import org.berth.cli.testing.Invocation;
import org.berth.cli.testing.ScriptedServer;
import org.berth.cli.testing.ScriptedServer.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Starting and ending a real process that stands for the server; the scripted one answers in its place. */
@Timeout(60)
class ServerTest {
    /** Two that run, an attached one, one that was never made, one that is stopped and one that is gone. */
    private static final String ENVIRONMENTS = String.join(
            ",",
            environment("w1", "owned", "Ready"),
            environment("w2", "owned", "Error"),
            environment("w3", "attached", "Ready"),
            "{\"bindingId\":\"w4\",\"seat\":\"w4@rig\",\"ownership\":\"owned\",\"resource\":null}",
            environment("w5", "owned", "Stopped"),
            environment("w6", "owned", "Deleted"));

    private static String environment(String id, String ownership, String phase) {
        return "{\"bindingId\":\"" + id + "\",\"seat\":\"" + id + "@rig\",\"ownership\":\"" + ownership
                + "\",\"generation\":\"g1\",\"resource\":{\"phase\":\"" + phase + "\"}}";
    }

    private static final int DAEMON_PORT = 7433;
    private static final String PROGRAM = """
            #!/bin/sh
            read -r stat < /proc/$$/stat
            ticks=$(echo "${stat##*) }" | cut -d' ' -f20)
            echo "{\\"pid\\":$$,\\"startTicks\\":$ticks,\\"startedAt\\":\\"2026-01-02T03:04:05Z\\"}" > "$BERTH_HOME/server.json"
            exec sleep 300
            """;

    @TempDir
    private Path directory;

    private Path home;
    private ScriptedServer server;

    @BeforeEach
    void anAssembledServer() throws IOException {
        home = directory.resolve("home");
        program(PROGRAM);
        server = new ScriptedServer()
                .on(
                        "GET /healthz",
                        request -> Answer.json(
                                ServerRecord.read(home)
                                                .filter(ServerRecord::alive)
                                                .isPresent()
                                        ? 200
                                        : 503,
                                "{}"));
    }

    @AfterEach
    void nothingGoesOn() {
        ServerRecord.read(home).ifPresent(record -> record.process().terminate());
        assertThat(server.faults()).isEmpty();
        server.close();
    }

    private void program(String text) throws IOException {
        Path bin = Files.createDirectories(directory.resolve("target/server/bin"));
        Path program = Files.writeString(bin.resolve("berth-server"), text);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    private Invocation berth() {
        return new Invocation(server.url())
                .with("BERTH_HOME", home.toString())
                .with("BERTH_PORT_OFFSET", Integer.toString(server.port() - DAEMON_PORT))
                .with("BERTH_DIST", directory.toString())
                .with("PATH", System.getenv("PATH"));
    }

    @Test
    void up_starts_and_says_where_then_says_that_it_runs_and_down_ends_it() throws IOException {
        Invocation first = berth();
        assertThat(first.run("up", "--no-sample", "--json")).as(first.err()).isZero();
        assertThat(first.out())
                .contains("\"started\":true", "\"url\":\"" + server.url() + "\"", "management.credentials");
        ServerRecord record = ServerRecord.read(home).orElseThrow();
        assertThat(record.alive()).isTrue();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("logs/console.log"))))
                .isEqualTo("rw-------");

        Invocation second = berth();
        assertThat(second.run("up")).isZero();
        assertThat(second.out()).contains("runs already at " + server.url() + ", process " + record.pid());

        Invocation guest = berth();
        assertThat(guest.run("up", "--guest")).isEqualTo(1);
        assertThat(guest.err()).contains("without the guest listener", "berth up --guest");

        Invocation third = berth();
        assertThat(third.run("down")).isZero();
        assertThat(record.process().awaitEnd(Duration.ofSeconds(10))).isTrue();
        assertThat(berth().run("down")).isZero();
    }

    @Test
    void a_start_that_fails_shows_the_consoles_last_lines() throws IOException {
        program("#!/bin/sh\necho 'the port is taken'\nexit 4\n");
        Invocation berth = berth();

        assertThat(berth.run("up")).isEqualTo(1);
        assertThat(berth.err()).contains("(exit 4)", "the port is taken", "console.log");
    }

    @Test
    void up_without_an_assembled_server_says_what_is_missing() {
        Invocation berth = berth().with("BERTH_DIST", "/nonexistent");

        assertThat(berth.run("up")).isEqualTo(1);
        assertThat(berth.err()).contains("not assembled", "bin/berth up");
    }

    @Test
    void down_all_asks_unless_told_not_to_and_ends_attempts_then_the_supervisor() throws Exception {
        Process supervisor = new ProcessBuilder("bash", "-c", "exec -a org.berth.process.supervisor sleep 300").start();
        Process bystander = new ProcessBuilder("sleep", "300").start();
        String named = "{\"supervisors\":[{\"pid\":" + supervisor.pid() + "},{\"pid\":" + bystander.pid() + "}]}";
        String running = "{\"attempt_id\":\"a1\",\"execution_state\":\"running\"}";
        server.on(
                        "GET /api/placement/attempts",
                        request -> Answer.json(
                                200,
                                request.target().contains("state=running")
                                        ? "{\"attempts\":[" + running + "]}"
                                        : "{\"attempts\":[]}"))
                .on("POST /api/placement/attempts/a1/stop", 200, running)
                .on("GET /api/placement/attempts/a1", 200, "{\"attempt\":{\"execution_state\":\"exited\"}}")
                .on("POST /api/placement/attempts/a1/cleanup", 200, "{}")
                .on("GET /api/placement/capabilities", 200, named)
                .on("GET /api/environments", 200, "{\"environments\":[" + ENVIRONMENTS + "]}")
                .on("POST /api/environments/w1/effect", 200, "{\"state\":\"confirmed\"}")
                .on("POST /api/environments/w2/effect", 200, "{\"state\":\"pending\",\"detail\":\"still Ready\"}");
        assertThat(berth().run("up", "--no-sample")).isZero();

        Invocation unasked = berth();
        assertThat(unasked.run("down", "--all")).isEqualTo(1);
        assertThat(unasked.err()).contains("ends 1 attempts, the compute of 2 environments", "--yes");
        assertThat(server.bodies("POST /api/placement/attempts/a1/stop")).isEmpty();

        Invocation down = berth();
        assertThat(down.run("down", "--all", "--yes")).isZero();
        assertThat(down.out()).contains("1 attempts and the compute of 1 environments have ended");
        assertThat(down.err()).contains("w2: still Ready");
        assertThat(server.bodies("POST /api/environments/w1/effect"))
                .singleElement()
                .asString()
                .contains("\"effect\":\"stop-compute\"", "\"generation\":\"g1\"");
        assertThat(server.bodies("POST /api/placement/attempts/a1/stop")).containsExactly("{\"mode\":\"forced\"}");
        assertThat(server.bodies("POST /api/placement/attempts/a1/cleanup")).hasSize(1);
        assertThat(supervisor.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(bystander.isAlive()).as("a process that is no supervisor").isTrue();
        bystander.destroy();
    }

    @Test
    void another_process_of_the_same_number_is_not_the_server() throws IOException {
        Files.createDirectories(home);
        Files.writeString(
                home.resolve("server.json"),
                "{\"pid\":" + ProcessHandle.current().pid() + ",\"startTicks\":1}");
        ServerRecord record = ServerRecord.read(home).orElseThrow();

        assertThat(record.alive()).isFalse();
        assertThat(record.process().terminate()).isFalse();
    }
}
