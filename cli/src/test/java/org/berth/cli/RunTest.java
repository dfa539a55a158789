package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.berth.cli.testing.Invocation;
import org.berth.cli.testing.ScriptedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class RunTest {
    private static final String ROUTE = "/api/placement/attempts";
    private static final String ONE = ROUTE + "/run-x";
    private static final String RUNNING = "{\"attempt_id\":\"run-x\",\"execution_state\":\"running\"}";
    private static final String EXITED =
            "{\"attempt_id\":\"run-x\",\"execution_state\":\"exited\",\"exit\":{\"code\":7}}";

    private ScriptedServer server;
    private Invocation berth;

    @BeforeEach
    void aServerThatAdmitsEverything() {
        server = new ScriptedServer()
                .on("GET /api/whoami", 200, "{\"owner_id\":\"owner\",\"roles\":[\"operator\"]}")
                .on("POST " + ROUTE, 201, "{\"attempt_id\":\"run-x\",\"execution_state\":\"intended\"}")
                .on("POST " + ONE + "/attach", 200, "{\"generation\":4}")
                .on("POST " + ONE + "/start", 200, RUNNING)
                .on("POST " + ONE + "/stop", 200, RUNNING)
                .on("GET " + ONE, 200, "{\"attempt\":" + EXITED + "}")
                .on("POST " + ONE + "/cleanup", 200, EXITED);
        berth = new Invocation(server.url());
    }

    @AfterEach
    void theScriptWasPlayed() {
        assertThat(server.faults()).isEmpty();
        server.close();
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    private int run(String... more) {
        List<String> arguments = new ArrayList<>(List.of("run", "--name", "x"));
        arguments.addAll(Arrays.asList(more));
        return berth.run(arguments.toArray(String[]::new));
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(
            delimiter = '|',
            value = {"\"code\":0|0", "\"code\":7|7", "\"code\":143|143", "\"signal\":15|143", "\"signal\":9|137"})
    void the_exit_code_is_the_commands_and_a_signal_is_128_more(String exit, int code) {
        server.stream(peer -> peer.end(0, exit));

        assertThat(run("--", "true")).isEqualTo(code);
    }

    @Test
    void an_unknown_exit_is_1_and_said() {
        server.stream(peer -> {
            peer.eof(1, 1);
            peer.eof(2, 2);
            peer.text("{\"type\":\"exit\",\"uncertain\":true}");
            peer.awaitAck(2);
        });

        assertThat(run("--", "true")).isEqualTo(1);
        assertThat(berth.err()).contains("nobody knows how", "berth evidence run-x");
    }

    @Test
    void stdout_and_stderr_stay_apart_and_byte_for_byte() {
        byte[] random = new byte[300_000];
        new Random(7).nextBytes(random);
        server.stream(peer -> {
            long sequence = 0;
            for (int at = 0; at < random.length; at += 16_384) {
                peer.output(1, ++sequence, Arrays.copyOfRange(random, at, Math.min(random.length, at + 16_384)));
                peer.output(2, ++sequence, "e" + sequence + "\n");
            }
            peer.end(sequence, "\"code\":0");
        });

        assertThat(run("--", "cat")).isZero();
        assertThat(berth.outBytes()).isEqualTo(random);
        assertThat(berth.err()).startsWith("e2\ne4\n").endsWith("e38\n");
    }

    @Test
    void a_character_split_over_two_chunks_arrives_whole() {
        server.stream(peer -> {
            peer.output(1, 1, new byte[] {'x', (byte) 0xe2});
            peer.output(1, 2, new byte[] {(byte) 0x80, (byte) 0x94, 'y'});
            peer.end(2, "\"code\":0");
        });

        run("--", "cat");

        assertThat(berth.out()).isEqualTo("x—y");
    }

    @Test
    void after_a_lost_connection_nothing_is_missing_or_doubled() {
        server.stream(peer -> {
            peer.output(1, 1, "one ");
            peer.output(1, 2, "two ");
            peer.awaitAck(2);
            peer.output(2, 3, "err");
        });
        List<String> targets = new CopyOnWriteArrayList<>();
        server.stream(peer -> {
            targets.add(peer.target());
            peer.output(1, 2, "two ");
            peer.output(2, 3, "err");
            peer.output(1, 4, "four");
            peer.end(4, "\"code\":0");
        });

        assertThat(run("--", "cat")).isZero();
        assertThat(berth.out()).isEqualTo("one two four");
        assertThat(berth.err()).isEqualTo("err");
        assertThat(targets).containsExactly(ONE + "/stream?generation=4");
    }

    @Test
    void input_is_written_once_in_order_and_stdin_closed_after_it() {
        List<String> writes = new CopyOnWriteArrayList<>();
        server.stream(peer -> writes.add(peer.receive()));
        server.stream(peer -> {
            String frame = peer.receive();
            writes.add(frame);
            peer.text("{\"type\":\"input_ack\",\"write_id\":\"" + frame.substring(0, 32)
                    + "\",\"accepted\":true,\"generation\":4}");
            writes.add(peer.receive());
            peer.end(0, "\"code\":0");
        });

        assertThat(berth.input("hello").run("run", "--name", "x", "--stdin", "-", "--", "cat"))
                .isZero();
        assertThat(writes).hasSize(3);
        assertThat(writes.get(0)).endsWith(":hello").isEqualTo(writes.get(1));
        assertThat(writes.get(2)).isEqualTo("{\"type\":\"close_stdin\"}");
    }

    @Test
    void more_input_than_the_window_waits_for_its_acknowledgements() {
        String text = "0123456789abcdef".repeat(20_000);
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        server.stream(peer -> {
            for (String frame = peer.receive(); !frame.startsWith("{"); frame = peer.receive()) {
                written.writeBytes(frame.substring(33).getBytes(StandardCharsets.UTF_8));
                peer.text("{\"type\":\"input_ack\",\"write_id\":\"" + frame.substring(0, 32) + "\",\"accepted\":true}");
            }
            peer.end(0, "\"code\":0");
        });

        assertThat(berth.input(text).run("run", "--name", "x", "--stdin", "-", "cat"))
                .isZero();
        assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo(text);
    }

    @Test
    void without_stdin_the_command_sees_its_end_at_once() {
        server.stream(peer -> peer.end(0, "\"code\":0"));

        run("--", "cat");

        assertThat(server.bodies("POST " + ROUTE).getFirst()).contains("\"stdin\":\"\",\"stdin_eof\":true");
    }

    @Test
    void arguments_after_the_command_are_the_commands() {
        server.stream(peer -> peer.end(0, "\"code\":0"));

        run("sh", "-c", "exit $1", "--json", "", "@file");

        assertThat(server.bodies("POST " + ROUTE).getFirst())
                .contains("\"executable\":\"sh\",\"argv\":[\"-c\",\"exit $1\",\"--json\",\"\",\"@file\"]");
    }

    @Test
    void a_relative_program_is_meant_from_here_and_a_bare_name_is_the_hosts() {
        server.stream(peer -> peer.end(0, "\"code\":0"));

        run("--", "./tool");

        assertThat(server.bodies("POST " + ROUTE).getFirst())
                .contains("\"executable\":\"" + Path.of("tool").toAbsolutePath() + "\"");
    }

    @Test
    void a_working_directory_gets_a_grant_that_is_taken_back(@TempDir Path directory) throws IOException {
        server
                .on("POST /api/placement/grants", 201, "{\"grant_ref\":\"g1\"}")
                .on("POST /api/placement/grants/g1/revoke", 200, "{}")
                .stream(peer -> peer.end(0, "\"code\":0"));

        assertThat(run("--cwd", directory.toString(), "--", "pwd")).isZero();
        assertThat(server.bodies("POST /api/placement/grants").getFirst())
                .contains("\"subject\":\"owner\",\"root\":\"" + directory.toRealPath() + "\"", "\"access\":\"write\"");
        assertThat(server.bodies("POST " + ROUTE).getFirst())
                .contains("\"working_directory_ref\":\"cwd\"", "\"grant_ref\":\"g1\"");
        assertThat(server.bodies("POST /api/placement/grants/g1/revoke")).hasSize(1);
    }

    @Test
    void a_timeout_asks_for_the_end_and_is_124() {
        CountDownLatch asked = new CountDownLatch(1);
        server
                .on("POST " + ONE + "/stop", request -> {
                    asked.countDown();
                    return ScriptedServer.Answer.json(200, RUNNING);
                })
                .stream(peer -> {
            assertThat(awaited(asked)).isTrue();
            peer.end(0, "\"signal\":15");
        });

        assertThat(run("--timeout", "50ms", "--", "sleep", "60")).isEqualTo(124);
        assertThat(server.bodies("POST " + ONE + "/stop")).containsExactly("{\"mode\":\"cooperative\"}");
    }

    @Test
    void another_client_that_takes_over_ends_the_following_and_keeps_the_home() {
        server.stream(peer -> {
            peer.text("{\"type\":\"fenced\",\"generation\":5}");
            peer.close(4409);
        });

        assertThat(run("--", "sleep", "60")).isEqualTo(1);
        assertThat(berth.err()).contains("another client follows run-x");
        assertThat(server.bodies("POST " + ONE + "/cleanup")).isEmpty();
    }

    @Test
    void a_late_handshake_of_its_own_does_not_end_the_following() {
        server.stream(peer -> {
                    peer.output(1, 1, "first ");
                    peer.text("{\"type\":\"fenced\",\"generation\":4}");
                    peer.close(4409);
                })
                .stream(peer -> {
            peer.output(1, 2, "second");
            peer.end(2, "\"code\":3");
        });

        assertThat(run("--", "sleep", "60")).isEqualTo(3);
        assertThat(berth.out()).isEqualTo("first second");
    }

    @Test
    void an_end_that_only_the_record_knows_is_taken_from_it() {
        server.stream(peer -> {
            peer.output(1, 1, "partial");
            peer.awaitAck(1);
        });

        assertThat(run("--", "cat")).isEqualTo(7);
        assertThat(berth.out()).isEqualTo("partial");
    }

    @Test
    void keep_keeps_the_home_and_else_it_is_cleaned() {
        server.stream(peer -> peer.end(0, "\"code\":0")).stream(peer -> peer.end(0, "\"code\":0"));

        run("--keep", "--", "true");
        assertThat(server.bodies("POST " + ONE + "/cleanup")).isEmpty();
        run("--", "true");
        assertThat(server.bodies("POST " + ONE + "/cleanup")).hasSize(1);
    }

    @Test
    void a_command_that_never_started_is_1_with_the_reason() {
        server.stream(peer -> peer.receive())
                .on(
                        "POST " + ONE + "/start",
                        200,
                        "{\"attempt_id\":\"run-x\",\"execution_state\":\"exited\",\"exit_source\":\"not_started\"}")
                .on(
                        "GET " + ONE + "/evidence",
                        200,
                        "{\"evidence\":[{\"sequence\":1,\"kind\":\"child.refused\",\"detail\":{\"reason\":\"directory\"}}]}");

        assertThat(run("--", "/tmp")).isEqualTo(1);
        assertThat(berth.err()).contains("was not started: child.refused", "directory");
    }

    @Test
    void json_prints_output_and_exit_as_one_object_a_line() {
        server.stream(peer -> {
            peer.output(1, 1, "hi");
            peer.end(1, "\"code\":3");
        });

        assertThat(run("--json", "--", "true")).isEqualTo(3);
        assertThat(berth.out().lines())
                .containsExactly(
                        "{\"type\":\"output\",\"stream\":\"stdout\",\"sequence\":1,\"data\":\"aGk=\"}",
                        "{\"attempt_id\":\"run-x\",\"type\":\"exit\",\"code\":3}");
    }

    @Test
    void options_without_meaning_are_usage() {
        assertThat(run("--env", "NOVALUE", "--", "true")).isEqualTo(2);
        assertThat(run("--timeout", "soon", "--", "true")).isEqualTo(2);
        assertThat(run("--stdin", "file", "--", "true")).isEqualTo(2);
        assertThat(run("--cleanup-scope", "all", "--", "true")).isEqualTo(2);
        assertThat(run()).isEqualTo(2);
        assertThat(server.requests()).isEmpty();
    }
}
