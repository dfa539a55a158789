package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.cli.testing.Invocation;
import org.berth.cli.testing.ScriptedServer;
import org.berth.cli.testing.ScriptedServer.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands on one environment. */
@Timeout(60)
class EnvironmentCommandsTest {
    private static final String ROUTE = "/api/environments";
    private static final String SEAT = "team-worker@demo";
    private static final String IMAGE = "image@sha256:" + "a".repeat(64);

    @TempDir
    private Path directory;

    private ScriptedServer server;
    private Invocation berth;
    private Path policy;

    @BeforeEach
    void aServer() throws IOException {
        server = new ScriptedServer();
        server.on("GET /api/whoami", 200, "{\"owner_id\":\"owner\"}");
        berth = new Invocation(server.url()).with("BERTH_HOME", directory.toRealPath() + "/home");
        policy = Files.writeString(directory.resolve("policy.yaml"), "version: 1\n")
                .toRealPath();
    }

    @AfterEach
    void theScriptWasPlayed() {
        assertThat(server.faults()).isEmpty();
        server.close();
    }

    private static String binding(String generation) {
        return "{\"version\":1,\"bindingId\":\"w1\",\"seat\":\"" + SEAT + "\",\"guestBaseUrl\":\"http://h:7782\","
                + "\"placement\":{\"gateway\":\"local\",\"workspace\":\"default\",\"name\":\"w1\",\"image\":\"" + IMAGE
                + "\",\"provider\":\"model\",\"policy\":\"/p\"},\"ownership\":\"owned\",\"resource\":{\"id\":\"r1\","
                + "\"name\":\"w1\",\"workspace\":\"default\",\"phase\":\"Ready\"},\"generation\":" + generation;
    }

    private int place(String verb, String... more) {
        List<String> arguments = new ArrayList<>(List.of("environment", verb, "w1", "--seat", SEAT));
        arguments.addAll(List.of("--provider", "model", "--policy", policy.toString(), "--image", IMAGE));
        arguments.addAll(List.of(more));
        return berth.run(arguments.toArray(String[]::new));
    }

    private List<String> senders(String route) {
        return server.requests().stream()
                .filter(each -> (each.method() + " " + each.target()).equals(route))
                .map(each -> each.headers().getOrDefault("x-openrig-session", "none"))
                .toList();
    }

    @Test
    void create_sends_the_reference_body_under_the_operators_seat() {
        server.on("POST " + ROUTE + "/create", 201, binding("null") + "}");

        assertThat(place("create")).as(berth.err()).isZero();
        assertThat(server.bodies("POST " + ROUTE + "/create"))
                .containsExactly("{\"version\":1,\"bindingId\":\"w1\",\"operationId\":\"create-w1\",\"seat\":\"" + SEAT
                        + "\",\"baseRuntime\":\"claude-code\",\"guestRoot\":\"/sandbox/openrig\","
                        + "\"guestBaseUrl\":\"http://host.openshell.internal:7782\",\"placement\":{\"gateway\":\"local\","
                        + "\"workspace\":\"default\",\"name\":\"w1\",\"image\":\"" + IMAGE
                        + "\",\"provider\":\"model\",\"policy\":\"" + policy + "\"}}");
        assertThat(senders("POST " + ROUTE + "/create")).containsExactly("operator@demo");
        assertThat(berth.out()).contains("Environment w1  Ready, owned", "berth rig up");
    }

    @Test
    void a_seats_token_acts_as_its_own_seat_and_as_names_another() {
        server.on("POST " + ROUTE + "/create", 201, binding("null") + "}")
                .on("GET /api/whoami", 200, "{\"owner_id\":\"owner\",\"seat\":\"" + SEAT + "\"}");

        place("create");
        place("create", "--as", "boss@demo");

        assertThat(senders("POST " + ROUTE + "/create")).containsExactly("none", "boss@demo");
        assertThat(place("create", "--as", "nobody")).isEqualTo(2);
    }

    @Test
    void an_unconfirmed_create_is_1_and_says_to_repeat_it() {
        server.on("POST " + ROUTE + "/create", 202, binding("null") + ",\"code\":\"openshell_transport_unconfirmed\"}");

        assertThat(place("create", "--json")).isEqualTo(1);
        assertThat(berth.out())
                .contains("\"code\":\"openshell_transport_unconfirmed\"", "\"operationId\":\"create-w1\"");
        assertThat(berth.err()).contains("not confirmed", "Repeat exactly this command", "create-w1");
    }

    @Test
    void attach_names_the_exact_resource() {
        server.on("POST " + ROUTE + "/attach", 201, binding("null") + "}");

        assertThat(place("attach", "--resource-id", "r1", "--fingerprint", "f1", "--operation", "op"))
                .isZero();
        assertThat(server.bodies("POST " + ROUTE + "/attach").getFirst())
                .contains("\"operationId\":\"op\"")
                .endsWith(",\"resourceId\":\"r1\",\"fingerprint\":\"f1\"}");
        assertThat(place("attach")).isEqualTo(2);
    }

    @Test
    void the_connection_that_setup_prepared_is_used_with_its_artifact_root() throws IOException {
        server.on("POST " + ROUTE + "/create", 201, binding("null") + "}")
                .on("GET /api/grants/work", 200, "{\"grants\":[]}")
                .on("POST /api/grants/work", 201, "{\"token\":\"t\"}");
        Path artifacts = directory.toRealPath().resolve("artifacts");
        berth.run(
                "environment",
                "setup",
                "--directory",
                directory.resolve("example").toString(),
                "--binding",
                "w1",
                "--seat",
                SEAT,
                "--rig",
                "demo",
                "--artifact-root",
                artifacts.toString());

        assertThat(place("create")).as(berth.err()).isZero();
        assertThat(server.bodies("POST " + ROUTE + "/create").getFirst())
                .contains(
                        "\"coordinationRef\":\"" + directory.toRealPath() + "/home/environments/files/w1/work.json\"",
                        "\"artifactRoot\":\"" + artifacts + "\"");
        assertThat(berth.run(
                        "environment",
                        "create",
                        "w1",
                        "--seat",
                        "other@demo",
                        "--provider",
                        "p",
                        "--policy",
                        policy.toString(),
                        "--image",
                        IMAGE))
                .isEqualTo(1);
        assertThat(berth.err()).contains("is of the seat " + SEAT);
        assertThat(server.bodies("POST " + ROUTE + "/create")).hasSize(1);
    }

    @Test
    void what_cannot_be_meant_is_refused_before_any_request() {
        assertThat(place("create", "--agent", "/bin/sh")).isEqualTo(2);
        assertThat(place("create", "--guest-base-url", "http://h:7433")).isEqualTo(2);
        assertThat(berth.run("environment", "create", "a b", "--seat", SEAT, "--provider", "p", "--policy", "x"))
                .isEqualTo(2);
        assertThat(berth.run(
                        "environment",
                        "create",
                        "w1",
                        "--seat",
                        SEAT,
                        "--provider",
                        "p",
                        "--policy",
                        "/nonexistent/policy",
                        "--image",
                        IMAGE))
                .isEqualTo(1);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void inspect_is_a_summary_with_operations_and_what_is_not_enforced() {
        server.on(
                "GET " + ROUTE + "/w1",
                200,
                binding("\"g1\"") + ",\"operations\":[{\"operationId\":\"create-w1\",\"kind\":\"create\","
                        + "\"state\":\"refused\",\"receipt\":null,\"requestedBy\":\"operator@demo\","
                        + "\"refusal\":\"environment_name_in_use\"}],\"observation\":\"live-resource\","
                        + "\"unenforced\":[\"Landlock is not used.\"],\"egressRefusals\":[\"evil.test:443\"]}");

        assertThat(berth.run("environment", "inspect", "w1", "--live")).isZero();
        assertThat(berth.out())
                .contains("Environment w1  Ready, owned", "g1", "just now", "OPERATION")
                .contains(
                        "create-w1",
                        "refused",
                        "environment_name_in_use",
                        "- Landlock is not used.",
                        "- evil.test:443");
        assertThat(server.requests().getFirst().target()).isEqualTo(ROUTE + "/w1?live=true");
    }

    @Test
    void environments_are_listed_as_a_table() {
        server.on("GET " + ROUTE, 200, "{\"environments\":[" + binding("null") + "}],\"nextAfter\":\"w1\"}");

        assertThat(berth.run("environment", "ls", "--rig", "demo", "--driver", "local"))
                .isZero();
        assertThat(berth.out()).contains("BINDING  SEAT", "w1       team-worker@demo  Ready");
        assertThat(berth.err()).contains("--after w1");
        assertThat(server.requests().getFirst().target()).isEqualTo(ROUTE + "?limit=50&rig=demo&driver=local");
    }

    @Test
    void projecting_files_reserves_a_generation_and_is_one_operation_for_the_same_files() throws IOException {
        Path notes = Files.writeString(directory.resolve("notes"), "hello").toRealPath();
        server.on("GET " + ROUTE + "/w1", 200, binding("null") + "}")
                .on("POST /api/seats/team-worker%40demo/generations", 201, "{\"generation\":\"g7\"}")
                .on(
                        "POST " + ROUTE + "/w1/project",
                        200,
                        "{\"generation\":\"g7\",\"files\":[{\"path\":\"work/notes\",\"bytes\":5,\"sha256\":\"x\"}]}");

        assertThat(berth.run("environment", "project", "w1", "--file", notes + "=work/notes"))
                .as(berth.err())
                .isZero();
        berth.run("environment", "project", "w1", "--file", notes + "=work/notes");

        List<String> bodies = server.bodies("POST " + ROUTE + "/w1/project");
        assertThat(bodies.getFirst())
                .startsWith("{\"files\":[{\"source\":\"" + notes + "\",\"path\":\"work/notes\",\"sha256\":"
                        + "\"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\",\"required\":true}],"
                        + "\"generation\":\"g7\",\"operationId\":\"project-")
                .isEqualTo(bodies.getLast());
        Files.writeString(notes, "changed");
        berth.run("environment", "project", "w1", "--file", notes + "=work/notes");
        assertThat(server.bodies("POST " + ROUTE + "/w1/project").getLast()).isNotEqualTo(bodies.getFirst());
        assertThat(berth.out()).contains("work/notes", "berth environment launch w1");
        assertThat(berth.run("environment", "project", "w1")).isEqualTo(2);
        assertThat(berth.run("environment", "project", "w1", "--file", "x")).isEqualTo(2);
    }

    @Test
    void a_request_file_keeps_its_own_generation_and_operation() throws IOException {
        Path file = Files.writeString(
                directory.resolve("r.json"), "{\"operationId\":\"op\",\"generation\":\"g2\",\"files\":[]}");
        server.on("GET " + ROUTE + "/w1", 200, binding("\"g1\"") + "}")
                .on("POST " + ROUTE + "/w1/project", 200, "{\"generation\":\"g2\",\"files\":[]}");

        assertThat(berth.run("environment", "project", "w1", "--request", file.toString(), "--json"))
                .isZero();
        assertThat(server.bodies("POST " + ROUTE + "/w1/project"))
                .containsExactly("{\"operationId\":\"op\",\"generation\":\"g2\",\"files\":[]}");
    }

    @Test
    void launch_takes_the_bindings_generation() {
        server.on("GET " + ROUTE + "/w1", 200, binding("\"g1\"") + "}")
                .on("POST " + ROUTE + "/w1/launch", 200, "{\"nativeId\":\"n1\",\"warnings\":[\"late\"]}");

        assertThat(berth.run("environment", "launch", "w1", "--model", "m", "--resume-token", "t"))
                .isZero();
        assertThat(server.bodies("POST " + ROUTE + "/w1/launch"))
                .containsExactly("{\"generation\":\"g1\",\"model\":\"m\",\"resume\":{\"type\":"
                        + "\"community:openshell-claude\",\"token\":\"t\"}}");
        assertThat(berth.out()).contains("n1", "berth environment connect w1");
        assertThat(berth.err()).contains("late");
    }

    @Test
    void connect_opens_a_window_and_follows_it() {
        server
                .on("GET " + ROUTE + "/w1", 200, binding("\"g1\"") + "}")
                .on("POST " + ROUTE + "/w1/connect", 200, "{\"attempt_id\":\"viewer-1\"}")
                .on(
                        "GET /api/placement/attempts/viewer-1",
                        200,
                        "{\"attempt\":{\"execution_state\":\"running\",\"launch_mode\":\"window\"}}")
                .on("POST /api/placement/attempts/viewer-1/attach", 200, "{\"generation\":3}")
                .stream(peer -> {
            peer.output(3, 1, "welcome\r\n");
            peer.eof(3, 2);
            peer.text("{\"type\":\"exit\",\"code\":0,\"uncertain\":false}");
            peer.awaitAck(2);
        });

        assertThat(berth.run("environment", "connect", "w1")).as(berth.err()).isZero();
        assertThat(berth.out()).isEqualTo("welcome\r\n");
        assertThat(server.bodies("POST " + ROUTE + "/w1/connect")).containsExactly("{\"generation\":\"g1\"}");
        assertThat(senders("POST " + ROUTE + "/w1/connect")).containsExactly("operator@demo");
    }

    @Test
    void connect_to_what_was_never_launched_says_what_to_do() {
        server.on("GET " + ROUTE + "/w1", 200, binding("null") + "}");

        assertThat(berth.run("environment", "connect", "w1")).isEqualTo(1);
        assertThat(berth.err()).contains("Nothing was launched", "berth rig up");
    }

    @Test
    void export_sends_the_request_file_as_it_is() throws IOException {
        Path file = Files.writeString(directory.resolve("r.json"), "{\"operationId\":\"e1\",\"bytes\":3}");
        server.on("GET " + ROUTE + "/w1", 200, binding("\"g1\"") + "}")
                .on("POST " + ROUTE + "/w1/export", 200, "{\"path\":\"/a/r.json\"}");

        assertThat(berth.run("environment", "export", "w1", "--request", file.toString()))
                .isZero();
        assertThat(server.bodies("POST " + ROUTE + "/w1/export"))
                .containsExactly("{\"operationId\":\"e1\",\"bytes\":3}");
        assertThat(berth.out()).contains("/a/r.json");
        Files.writeString(file, "[]");
        assertThat(berth.run("environment", "export", "w1", "--request", file.toString()))
                .isEqualTo(1);
    }

    @Test
    void a_completion_is_selected_from_a_file_or_from_its_parts() throws IOException {
        Path file =
                Files.writeString(directory.resolve("c.json"), "{\"operationId\":\"c1\",\"effect\":\"stop-compute\"}");
        server.on("GET " + ROUTE + "/w1", 200, binding("\"g1\"") + "}")
                .on(
                        "POST " + ROUTE + "/w1/completion",
                        200,
                        "{\"state\":\"pending\",\"waitingFor\":\"task-not-done\"}");

        assertThat(berth.run("environment", "completion", "w1", "--request", file.toString()))
                .as(berth.err())
                .isZero();
        assertThat(berth.run("environment", "completion", "w1", "--task", "t1", "--export", "e1"))
                .isZero();
        assertThat(server.bodies("POST " + ROUTE + "/w1/completion"))
                .containsExactly(
                        "{\"operationId\":\"c1\",\"effect\":\"stop-compute\"}",
                        "{\"operationId\":\"completion-t1\",\"generation\":\"g1\",\"taskId\":\"t1\","
                                + "\"exportOperationId\":\"e1\",\"effect\":\"stop-native\"}");
        assertThat(senders("POST " + ROUTE + "/w1/completion")).containsOnly("operator@demo");
        assertThat(berth.out()).contains("task-not-done");
        assertThat(berth.run("environment", "completion", "w1", "--task", "t1")).isEqualTo(2);
        assertThat(berth.run("environment", "completion", "w1", "--task", "t1", "--request", file.toString()))
                .isEqualTo(2);
        assertThat(berth.run("environment", "completion")).isEqualTo(2);
    }

    @Test
    void selected_completions_are_shown_with_their_last_attempt_and_checked_on_demand() {
        server.on(
                        "GET " + ROUTE + "/w1",
                        200,
                        binding("\"g1\"") + ",\"operations\":[{\"operationId\":\"export-1\",\"kind\":\"export\"},"
                                + "{\"operationId\":\"c1\",\"kind\":\"completion\",\"state\":\"requested\","
                                + "\"requestedBy\":\"lead@demo\",\"receipt\":{\"state\":\"unconfirmed\","
                                + "\"code\":\"environment_native_changed\",\"lastAttemptAt\":1700000000000}}]}")
                .on("POST /api/completions/check", 200, "{\"selected\":1,\"attempted\":0,\"confirmed\":0}");

        assertThat(berth.run("environment", "completion", "w1")).isZero();
        assertThat(berth.out())
                .contains("c1", "requested", "lead@demo", "2023-11-1", "environment_native_changed")
                .doesNotContain("export-1");
        assertThat(berth.run("environment", "completion", "--check")).isZero();
        assertThat(berth.out()).contains("attempted");
        assertThat(berth.run("environment", "completion", "w1", "--check")).isEqualTo(2);
    }

    @Test
    void a_refusal_says_what_to_do_next() {
        server.on(
                "POST " + ROUTE + "/create",
                request -> new Answer(
                        409,
                        Map.of("Content-Type", "application/problem+json"),
                        "{\"code\":\"environment_seat_bound\",\"error\":\"The seat is bound.\"}"
                                .getBytes(StandardCharsets.UTF_8)));

        assertThat(place("create")).isEqualTo(1);
        assertThat(berth.err())
                .isEqualTo("berth: The seat is bound. (environment_seat_bound)\n"
                        + "  `berth environment ls` shows who holds it.\n");
    }
}
