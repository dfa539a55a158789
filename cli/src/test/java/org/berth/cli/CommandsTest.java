package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.cli.testing.Invocation;
import org.berth.cli.testing.ScriptedServer;
import org.berth.cli.testing.ScriptedServer.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CommandsTest {
    private static final String ROUTE = "/api/placement/attempts";
    private static final String EXITED = "{\"attempt_id\":\"a1\",\"owner_id\":\"owner\",\"execution_state\":\"exited\","
            + "\"cleanup_state\":\"complete\",\"exit\":{\"signal\":15},\"created_at\":\"2026-01-02T03:04:05Z\"}";
    private static final String RUNNING =
            "{\"attempt_id\":\"a2\",\"owner_id\":\"alice\",\"execution_state\":\"running\","
                    + "\"cleanup_state\":\"pending\",\"exit\":null,\"created_at\":\"2026-01-02T03:04:06Z\"}";

    private ScriptedServer server;
    private Invocation berth;

    @BeforeEach
    void aServer() {
        server = new ScriptedServer();
        berth = new Invocation(server.url());
    }

    @AfterEach
    void theScriptWasPlayed() {
        assertThat(server.faults()).isEmpty();
        server.close();
    }

    @Test
    void a_problem_is_1_with_its_sentence_code_and_what_to_do() {
        server.on(
                "POST " + ROUTE + "/a1/cleanup",
                409,
                "{\"code\":\"UNCERTAIN\",\"error\":\"The exit of a1 is not proven.\",\"status\":409}");

        assertThat(berth.run("cleanup", "a1")).isEqualTo(1);
        assertThat(berth.err())
                .isEqualTo("berth: The exit of a1 is not proven. (UNCERTAIN)\n"
                        + "  `berth reconcile` looks at the process itself.\n");
        assertThat(berth.out()).isEmpty();
    }

    @Test
    void with_json_a_problem_is_json_too() {
        assertThat(berth.run("show", "nobody", "--json")).isEqualTo(1);
        assertThat(berth.err()).startsWith("{\"code\":\"NOT_FOUND\",\"error\":\"There is no such thing.\",\"next\":");
    }

    @Test
    void a_page_of_another_program_is_a_failure_with_advice() {
        server.on(
                "GET /api/whoami",
                request -> new Answer(
                        200, Map.of("Content-Type", "text/html"), "<html>".getBytes(StandardCharsets.UTF_8)));

        assertThat(berth.run("whoami")).isEqualTo(1);
        assertThat(berth.err()).contains("is not Berth's", "BERTH_PORT_OFFSET");
    }

    @Test
    void no_server_is_3() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        Invocation alone = new Invocation(URI.create("http://127.0.0.1:" + free));

        assertThat(alone.run("attempts")).isEqualTo(3);
        assertThat(alone.err()).contains("No server answers at http://127.0.0.1:" + free, "berth up");
    }

    @Test
    void what_is_not_understood_is_2() {
        assertThat(berth.run("atempts")).isEqualTo(2);
        assertThat(berth.run("show")).isEqualTo(2);
        assertThat(berth.run("grant")).isEqualTo(2);
        assertThat(berth.run("attempts", "--limit", "many")).isEqualTo(2);
        assertThat(berth.run("completion", "fish")).isEqualTo(2);
        assertThat(berth.run()).isEqualTo(2);
        assertThat(berth.with("BERTH_URL", "ftp://x").run("whoami")).isEqualTo(2);
        assertThat(berth.err()).contains("--help` shows how it is used");
    }

    @Test
    void attempts_are_a_table_for_people() {
        server.on("GET " + ROUTE, 200, "{\"attempts\":[" + RUNNING + "," + EXITED + "],\"next_after\":\"c7\"}");

        assertThat(berth.run("attempts", "--owner", "a&b")).isZero();
        assertThat(berth.out().lines().map(line -> line.replaceAll("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d", "T")))
                .containsExactly(
                        "ATTEMPT  STATE    CLEANUP   EXIT              OWNER  CREATED",
                        "a2       running  pending                     alice  T",
                        "a1       exited   complete  signal 15 (TERM)  owner  T");
        assertThat(berth.err()).contains("--after c7");
        assertThat(server.requests().getFirst().target()).isEqualTo(ROUTE + "?limit=50&owner=a%26b");
        assertThat(server.requests().getFirst().headers()).containsEntry("authorization", "Bearer secret");
    }

    @Test
    void colours_are_for_a_terminal_that_wants_them() {
        server.on("GET " + ROUTE, 200, "{\"attempts\":[" + RUNNING + "]}");
        Invocation refused = new Invocation(server.url()).onTerminal().with("NO_COLOR", "1");

        berth.onTerminal().run("attempts");
        refused.run("attempts");

        assertThat(berth.out()).contains("\033[32m");
        assertThat(refused.out()).doesNotContain("\033");
    }

    @Test
    void a_name_cannot_steer_the_terminal() {
        server.on("GET /api/whoami", 200, "{\"owner_id\":\"\\u001b[2Jevil\"}");

        berth.run("whoami");

        assertThat(berth.out()).doesNotContain("\033").contains("evil");
    }

    @Test
    void json_is_the_servers_answer() {
        server.on("GET " + ROUTE, 200, "{\"attempts\":[" + RUNNING + "]}")
                .on("GET " + ROUTE + "/a2", 200, "{\"attempt\":" + RUNNING + ",\"liveness\":{\"state\":\"alive\"}}");

        berth.run("attempts", "--json");
        berth.run("show", "--json", "a2");

        assertThat(berth.out().lines())
                .containsExactly(
                        "{\"attempts\":[" + RUNNING + "]}",
                        "{\"attempt\":" + RUNNING + ",\"liveness\":{\"state\":\"alive\"}}");
    }

    @Test
    void evidence_is_read_page_by_page() {
        server.on("GET " + ROUTE + "/a1/evidence", request -> {
            boolean first = request.target().contains("after=0");
            return Answer.json(
                    200,
                    first
                            ? "{\"evidence\":[{\"sequence\":1,\"kind\":\"runner.started\",\"detail\":{}}],\"next_after\":1}"
                            : "{\"evidence\":[{\"sequence\":2,\"kind\":\"child.started\",\"detail\":{\"pid\":42}}]}");
        });

        assertThat(berth.run("evidence", "a1")).isZero();
        assertThat(berth.out()).contains("runner.started", "child.started   pid=42");
    }

    @Test
    void stop_is_cooperative_unless_forced() {
        server.on("POST " + ROUTE + "/a1/stop", 200, EXITED);

        berth.run("stop", "a1");
        berth.run("stop", "a1", "--force");

        assertThat(server.bodies("POST " + ROUTE + "/a1/stop"))
                .containsExactly("{\"mode\":\"cooperative\"}", "{\"mode\":\"forced\"}");
    }

    @Test
    void an_id_is_one_part_of_the_address() {
        berth.run("show", "../grants?x");

        assertThat(server.requests().getFirst().target()).isEqualTo(ROUTE + "/..%2Fgrants%3Fx");
    }

    @Test
    void logs_keep_the_streams_apart() {
        server.on("GET " + ROUTE + "/a1", 200, "{\"attempt\":" + EXITED + "}")
                .on("GET " + ROUTE + "/a1/logs", request -> {
                    String text = request.target().contains("stream=stderr") ? "bad\n" : "good\n";
                    return new Answer(200, Map.of(), text.getBytes(StandardCharsets.UTF_8));
                });

        assertThat(berth.run("logs", "a1", "--tail", "5")).isZero();
        assertThat(berth.out()).isEqualTo("good\n");
        assertThat(berth.err()).isEqualTo("bad\n");
        assertThat(server.requests().getLast().target()).isEqualTo(ROUTE + "/a1/logs?stream=stderr&tail=5");
    }

    @Test
    void following_logs_goes_on_from_the_bytes_it_has_until_the_exit() {
        AtomicInteger calls = new AtomicInteger();
        String all = "first second third";
        server.on("GET " + ROUTE + "/a1", 200, "{\"attempt\":" + EXITED + "}")
                .on("GET " + ROUTE + "/a1/logs", request -> {
                    String target = request.target();
                    int from =
                            target.contains("from=") ? Integer.parseInt(target.replaceAll(".*from=(\\d+).*", "$1")) : 0;
                    int produced = calls.incrementAndGet() == 1 ? 6 : calls.get() == 2 ? 13 : all.length();
                    return new Answer(
                            200,
                            Map.of("X-Berth-Log-From", "" + from, "X-Berth-Log-Produced", "" + produced),
                            all.substring(from, produced).getBytes(StandardCharsets.UTF_8));
                });

        assertThat(berth.run("logs", "a1", "-f", "--stream", "stdout")).isZero();
        assertThat(berth.out()).isEqualTo(all);
    }

    @Test
    void attach_follows_and_ends_with_the_commands_code() {
        server
                .on("GET " + ROUTE + "/a2", 200, "{\"attempt\":" + RUNNING + "}")
                .on("POST " + ROUTE + "/a2/attach", 200, "{\"generation\":9}")
                .stream(peer -> {
            peer.output(1, 41, "late");
            peer.end(41, "\"code\":5");
        });

        assertThat(berth.run("attach", "a2")).isEqualTo(5);
        assertThat(berth.out()).isEqualTo("late");
        assertThat(berth.err()).isEmpty();
    }

    @Test
    void attach_follows_a_windows_terminal_to_its_end() {
        server
                .on(
                        "GET " + ROUTE + "/a2",
                        200,
                        "{\"attempt\":{\"execution_state\":\"running\",\"launch_mode\":\"window\"}}")
                .on("POST " + ROUTE + "/a2/attach", 200, "{\"generation\":9}")
                .stream(peer -> {
            peer.output(3, 1, "$ exit\r\n");
            peer.eof(3, 2);
            peer.text("{\"type\":\"exit\",\"signal\":9,\"uncertain\":false}");
            peer.awaitAck(2);
        });

        assertThat(berth.run("attach", "a2")).isEqualTo(137);
        assertThat(berth.out()).isEqualTo("$ exit\r\n");
    }

    @Test
    void attach_to_what_has_no_stream_any_more_is_refused() {
        server.on("GET " + ROUTE + "/a1", 200, "{\"attempt\":" + EXITED + "}")
                .on("POST " + ROUTE + "/a1/attach", 409, "{\"code\":\"CONFLICT\",\"error\":\"Use the logs.\"}");

        assertThat(berth.run("attach", "a1")).isEqualTo(1);
        assertThat(berth.err()).contains("Use the logs. (CONFLICT)");
    }

    @Test
    void grants_are_issued_listed_and_revoked() {
        server.on("POST /api/placement/grants", 201, "{\"grant_ref\":\"g1\"}")
                .on(
                        "GET /api/placement/grants",
                        200,
                        "{\"grants\":[{\"grant_ref\":\"g1\",\"subject\":\"alice\",\"root\":\"/srv\",\"access\":\"read\"}]}")
                .on("POST /api/placement/grants/g1/revoke", 200, "{\"grant_ref\":\"g1\"}");

        assertThat(berth.run("grant", "issue", "--subject", "alice", "--expires-in", "8h", "/srv"))
                .isZero();
        assertThat(berth.run("grant", "ls", "--all")).isZero();
        assertThat(berth.run("grant", "revoke", "g1")).isZero();
        assertThat(server.bodies("POST /api/placement/grants"))
                .containsExactly("{\"subject\":\"alice\",\"root\":\"/srv\",\"subpath\":\"\",\"access\":\"read\","
                        + "\"purpose\":\"project\",\"expires_in\":28800}");
        assertThat(berth.out()).contains("GRANT  SUBJECT", "g1     alice");
    }

    @Test
    void a_token_is_shown_when_it_is_created() {
        server.on("POST /api/tokens", 201, "{\"token_id\":\"t1\",\"token\":\"once\"}");

        assertThat(berth.run("token", "create", "--name", "ci", "--owner", "ci", "--role", "owner"))
                .isZero();
        assertThat(server.bodies("POST /api/tokens"))
                .containsExactly("{\"name\":\"ci\",\"owner_id\":\"ci\",\"roles\":[\"owner\"]}");
        assertThat(berth.out()).contains("t1", "once");
    }

    @Test
    void a_path_to_measure_is_taken_from_here() {
        server.on("POST /api/placement/executables/measure", 200, "{\"kind\":\"elf\"}");

        assertThat(berth.run("measure", "/usr/bin/../bin/env", "--json")).isZero();
        assertThat(server.bodies("POST /api/placement/executables/measure"))
                .containsExactly("{\"path\":\"/usr/bin/env\"}");
    }

    @Test
    void status_tells_server_supervisors_and_counts() {
        server.on("GET /healthz", 200, "{\"status\":\"up\"}")
                .on("GET /api/whoami", 200, "{\"owner_id\":\"owner\",\"version\":\"1\",\"host_id\":\"h\"}")
                .on("GET /api/placement/capabilities", 200, "{\"supervisors\":[{\"pid\":7}]}")
                .on(
                        "GET " + ROUTE,
                        request -> Answer.json(
                                200,
                                request.target().contains("state=running")
                                        ? "{\"attempts\":[" + RUNNING + "]}"
                                        : "{\"attempts\":[]}"));

        assertThat(berth.run("status", "--json")).isZero();
        assertThat(berth.out())
                .contains(
                        "\"version\":\"1\"",
                        "\"supervisors\":[{\"pid\":7}]",
                        "\"attempts\":{\"intended\":0,\"starting\":0,\"running\":1,");
    }

    @Test
    void the_completion_script_knows_every_command() {
        assertThat(berth.run("completion", "bash")).isZero();
        assertThat(berth.out()).contains("complete -F", "reconcile", "issue", "--cleanup-scope");
    }

    @Test
    void the_version_is_that_of_the_build() {
        assertThat(berth.run("--version")).isZero();
        assertThat(berth.out()).matches("berth \\d+\\.\\d+\\.\\d+.*\n");
    }
}
