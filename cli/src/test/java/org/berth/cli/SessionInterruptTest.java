package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.berth.cli.testing.ScriptedServer;
import org.berth.cli.testing.ScriptedServer.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** ^C while a job is followed, in a process of its own. */
@Timeout(120)
class SessionInterruptTest {
    private static final String ROUTE = "/api/harness/sessions/s1";
    private static final String RUNNING = "{\"detached\":{\"job\":\"j1\",\"budgetMs\":1},\"outputBase64\":\"\"}";
    private static final String KILLED = "{\"job\":\"j1\",\"killed\":true,\"outputBase64\":\"\"}";
    private static final int PROCESS_SECONDS = 60;

    @TempDir
    private Path directory;

    private final CountDownLatch followed = new CountDownLatch(1);
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final AtomicBoolean killed = new AtomicBoolean();
    private ScriptedServer server;
    private Process berth;

    @BeforeEach
    void aServer() {
        server = new ScriptedServer();
        server.on("GET " + ROUTE, 200, "{\"sessionId\":\"s1\",\"toolBlockingBudgetMs\":600000}")
                .on("GET " + ROUTE + "/jobs/j1", 200, "{\"job\":\"j1\",\"state\":\"running\"}")
                .on("POST " + ROUTE + "/bash", 200, RUNNING)
                .on("POST " + ROUTE + "/jobs/j1/wait", request -> {
                    followed.countDown();
                    return Answer.json(200, killed.get() ? KILLED : RUNNING);
                });
    }

    @AfterEach
    void theScriptWasPlayed() {
        berth.destroyForcibly();
        assertThat(server.faults()).isEmpty();
        server.close();
    }

    @Test
    void the_first_stops_the_job_and_the_exit_code_says_so() throws Exception {
        server.on("POST " + ROUTE + "/jobs/j1/cancel", request -> {
            killed.set(true);
            return Answer.json(200, KILLED);
        });
        berth = berth("bash", "s1", "--", "sleep 900");

        interrupt();

        assertThat(berth.waitFor(PROCESS_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(berth.exitValue()).isEqualTo(137);
    }

    @Test
    void the_second_leaves_a_job_that_does_not_stop() throws Exception {
        server.on("POST " + ROUTE + "/jobs/j1/cancel", request -> {
            cancelled.countDown();
            return Answer.json(200, RUNNING);
        });
        berth = berth("bash", "s1", "--", "sleep 900");

        interrupt();
        assertThat(cancelled.await(PROCESS_SECONDS, TimeUnit.SECONDS)).isTrue();
        interrupt();

        assertThat(berth.waitFor(PROCESS_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(berth.exitValue()).isZero();
        assertThat(said()).contains("job j1 goes on");
    }

    @Test
    void while_waiting_it_only_ends_the_waiting() throws Exception {
        berth = berth("wait", "s1", "j1");

        interrupt();

        assertThat(berth.waitFor(PROCESS_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(berth.exitValue()).isZero();
        assertThat(said()).contains("job j1 goes on");
        assertThat(server.bodies("POST " + ROUTE + "/jobs/j1/cancel")).isEmpty();
    }

    /** As a terminal's shell starts it: whoever runs the tests may ignore the signal. */
    private Process berth(String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Berth.class.getName(),
                "session");
        builder.command().addAll(List.of(arguments));
        builder.environment().put("BERTH_URL", server.url().toString());
        builder.environment().put("BERTH_TOKEN", "secret");
        return builder.redirectInput(
                        ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile())
                .start();
    }

    private void interrupt() throws IOException, InterruptedException {
        assertThat(followed.await(PROCESS_SECONDS, TimeUnit.SECONDS)).as(said()).isTrue();
        Process kill = new ProcessBuilder("kill", "-INT", Long.toString(berth.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    private String said() throws IOException {
        Path err = directory.resolve("err");
        return Files.exists(err) ? Files.readString(err, StandardCharsets.UTF_8) : "";
    }
}
