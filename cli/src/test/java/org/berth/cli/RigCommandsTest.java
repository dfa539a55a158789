package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.cli.testing.Invocation;
import org.berth.cli.testing.ScriptedServer;
import org.berth.cli.testing.ScriptedServer.Answer;
import org.berth.cli.testing.ScriptedServer.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rigs and the work of their seats. */
@Timeout(60)
class RigCommandsTest {
    private static final String SNAPSHOT = "{\"id\":\"s1\",\"rigId\":\"r1\",\"rigName\":\"demo\",\"kind\":\"manual\","
            + "\"createdBy\":\"operator@demo\",\"createdAt\":\"2026-01-02T03:04:05Z\",\"data\":{\"nodes\":[{\"id\":"
            + "\"n1\",\"seat\":\"team-worker@demo\",\"runtime\":\"openshell-claude\"}],"
            + "\"environmentBindingsByNode\":{\"n1\":{\"bindingId\":\"w1\",\"generation\":\"g1\",\"checkpointId\":"
            + "\"checkpoint-one\",\"nativeId\":\"c1\"}}}}";
    private static final String UP =
            "{\"nodeId\":\"n1\",\"seat\":\"team-worker@demo\",\"runtime\":\"openshell-claude\","
                    + "\"status\":\"up\",\"generation\":\"g1\",\"bindingId\":\"w1\",\"warnings\":[]}";
    private static final String ATTENTION =
            "{\"nodeId\":\"n2\",\"seat\":\"team-other@demo\",\"runtime\":\"openshell-claude\","
                    + "\"status\":\"attention_required\",\"code\":\"environment_binding_missing\","
                    + "\"error\":\"The seat has no environment.\"}";

    @TempDir
    private Path directory;

    private ScriptedServer server;
    private Invocation berth;

    @BeforeEach
    void aServer() {
        server = new ScriptedServer();
        server.on("GET /api/whoami", 200, "{\"owner_id\":\"owner\"}")
                .on("GET /api/rigs", 200, "{\"rigs\":[{\"rigId\":\"r1\",\"name\":\"demo\",\"root\":\"/srv\"}]}");
        berth = new Invocation(server.url());
    }

    @AfterEach
    void theScriptWasPlayed() {
        assertThat(server.faults()).isEmpty();
        server.close();
    }

    private Request last() {
        return server.requests().getLast();
    }

    @Test
    void up_makes_the_rig_of_a_file_and_starts_its_members() throws IOException {
        Path file =
                Files.writeString(directory.resolve("rig.yaml"), "name: demo\n").toRealPath();
        server.on("POST /api/rigs", 201, "{\"rigId\":\"r1\",\"name\":\"demo\",\"nodes\":[]}")
                .on("POST /api/rigs/r1/up", 200, "{\"nodes\":[" + UP + "]}");

        assertThat(berth.run("rig", "up", file.toString())).as(berth.err()).isZero();
        Request made = server.requests().getFirst();
        assertThat(made.target())
                .isEqualTo("/api/rigs?root="
                        + URLEncoder.encode(file.getParent().toString(), StandardCharsets.UTF_8)
                                .replace("+", "%20"));
        assertThat(made.headers()).containsEntry("content-type", "application/yaml");
        assertThat(made.body()).isEqualTo("name: demo\n");
        assertThat(last().headers()).containsEntry("x-openrig-session", "operator@demo");
        assertThat(berth.out()).contains("team-worker@demo  openshell-claude  up", "berth environment connect w1");
    }

    @Test
    void stop_closes_a_seats_windows_and_says_that_the_agent_goes_on() {
        server.on(
                "POST /api/seats/team-worker%40demo/stop",
                200,
                "{\"ok\":true,\"seat\":\"team-worker@demo\",\"nodeId\":\"n1\",\"bindingId\":\"w1\",\"paneOnly\":true}");

        assertThat(berth.run("rig", "stop", "team-worker@demo")).as(berth.err()).isZero();
        assertThat(last().headers()).containsEntry("x-openrig-session", "operator@demo");
        assertThat(berth.out()).contains("its agent and its compute go on", "berth environment connect w1");
        assertThat(berth.run("rig", "stop", "demo")).isEqualTo(2);
    }

    @Test
    void a_member_that_needs_attention_is_1_with_what_to_do() {
        server.on("POST /api/rigs/r1/up", 200, "{\"nodes\":[" + UP + "," + ATTENTION + "]}");

        assertThat(berth.run("rig", "up", "demo", "--seat", "team-worker@demo", "--seat", "team-other@demo"))
                .isEqualTo(1);
        assertThat(last().body()).isEqualTo("{\"seats\":[\"team-worker@demo\",\"team-other@demo\"]}");
        assertThat(berth.out())
                .contains("attention", "environment_binding_missing", "The seat has no environment.")
                .contains("berth environment create BINDING --seat team-other@demo");
    }

    @Test
    void a_member_that_runs_as_an_attempt_says_which() {
        server.on(
                "POST /api/rigs/r1/up",
                200,
                "{\"nodes\":[{\"nodeId\":\"n3\",\"seat\":\"team-build@demo\",\"runtime\":\"command\",\"status\":\"up\","
                        + "\"generation\":\"g1\",\"attemptId\":\"member-g1\",\"warnings\":[]}]}");

        assertThat(berth.run("rig", "up", "demo")).isZero();
        assertThat(berth.out()).contains("member-g1", "berth show member-g1").doesNotContain("environment connect");
    }

    @Test
    void json_of_up_has_the_rig_and_every_node() {
        server.on("POST /api/rigs/r1/up", 200, "{\"nodes\":[" + ATTENTION + "]}");

        assertThat(berth.run("rig", "up", "r1", "--json")).isEqualTo(1);
        assertThat(berth.out()).isEqualTo("{\"rigId\":\"r1\",\"name\":\"demo\",\"nodes\":[" + ATTENTION + "]}\n");
    }

    @Test
    void what_is_neither_file_nor_rig_is_refused_with_advice() {
        assertThat(berth.run("rig", "up", "nowhere")).isEqualTo(1);
        assertThat(berth.err()).contains("no rig nowhere", "berth rig ls");
        assertThat(berth.run("rig", "up", "demo", "--seat", "worker")).isEqualTo(2);
    }

    @Test
    void rigs_are_read_page_by_page() {
        server.on(
                "GET /api/rigs",
                request -> Answer.json(
                        200,
                        request.target().contains("after=demo")
                                ? "{\"rigs\":[{\"rigId\":\"r2\",\"name\":\"later\"}]}"
                                : "{\"rigs\":[{\"rigId\":\"r1\",\"name\":\"demo\"}],\"next\":\"demo\"}"));

        assertThat(berth.run("rig", "ls")).isZero();
        assertThat(berth.out()).contains("demo", "later");
    }

    @Test
    void show_lists_seats_with_their_generations() {
        server.on("GET /api/rigs/r1", 200, "{\"rigId\":\"r1\",\"name\":\"demo\",\"root\":\"/srv\",\"spec\":{\"a\":1}}")
                .on(
                        "GET /api/rigs/r1/nodes",
                        200,
                        "{\"nodes\":[{\"seat\":\"team-worker@demo\",\"runtime\":\"openshell-claude\","
                                + "\"generation\":\"g1\",\"nodeId\":\"n1\"}]}");

        assertThat(berth.run("rig", "show", "demo")).isZero();
        assertThat(berth.out()).contains("Rig demo", "team-worker@demo", "g1");
        assertThat(berth.run("rig", "show", "demo", "--json")).isZero();
        assertThat(berth.out()).contains("\"spec\":{\"a\":1}", "\"generation\":\"g1\"");
    }

    @Test
    void a_snapshot_is_taken_and_shown_with_its_references() {
        server.on("POST /api/rigs/r1/snapshots", 201, SNAPSHOT);

        assertThat(berth.run("rig", "snapshot", "demo")).isZero();
        assertThat(last().headers()).containsEntry("x-openrig-session", "operator@demo");
        assertThat(berth.out()).contains("team-worker@demo", "checkpoint-one", "berth rig restore s1");
    }

    @Test
    void snapshots_are_listed_shown_and_removed() {
        server.on(
                        "GET /api/rigs/r1/snapshots",
                        200,
                        "{\"snapshots\":[{\"id\":\"s1\",\"createdBy\":\"operator@demo\"}]}")
                .on("GET /api/snapshots/s1", 200, SNAPSHOT)
                .on("DELETE /api/snapshots/s1", 200, "{\"id\":\"s1\",\"deleted\":true}");

        assertThat(berth.run("rig", "snapshots", "demo")).isZero();
        assertThat(berth.out()).contains("s1", "operator@demo");
        assertThat(berth.run("rig", "snapshots", "demo", "--show", "s1")).isZero();
        assertThat(berth.out()).contains("checkpoint-one");
        assertThat(berth.run("rig", "snapshots", "demo", "--rm", "s1")).isZero();
        assertThat(berth.run("rig", "snapshots", "demo", "--rm", "s1", "--show", "s1"))
                .isEqualTo(2);
    }

    @Test
    void restore_tells_what_was_resumed_what_differs_and_what_needs_attention() {
        String resumed = "{\"nodeId\":\"n1\",\"seat\":\"team-worker@demo\",\"runtime\":\"openshell-claude\","
                + "\"status\":\"resumed\",\"bindingId\":\"w1\",\"nativeId\":\"c1\",\"context\":{\"changed\":"
                + "[\"work/x\"],\"added\":[],\"removed\":[]}}";
        String refused = "{\"nodeId\":\"n2\",\"seat\":\"team-other@demo\",\"runtime\":\"openshell-claude\","
                + "\"status\":\"attention_required\",\"code\":\"environment_checkpoint_missing\",\"error\":\"No.\"}";
        server.on("GET /api/snapshots/s1", 200, SNAPSHOT)
                .on("POST /api/snapshots/s1/restore", 200, "{\"nodes\":[" + resumed + "," + refused + "]}");

        assertThat(berth.run("rig", "restore", "s1")).isEqualTo(1);
        assertThat(last().headers()).containsEntry("x-openrig-session", "operator@demo");
        assertThat(berth.out())
                .contains("berth environment connect w1", "changed since: work/x", "environment_checkpoint_missing")
                .contains("berth environment recreate BINDING --checkpoint ID");
        server.on("POST /api/snapshots/s1/restore", 200, "{\"nodes\":[" + resumed + "]}");
        assertThat(berth.run("rig", "restore", "s1")).isZero();
    }

    @Test
    void rm_removes_by_name() {
        server.on("DELETE /api/rigs/r1", 200, "{\"rigId\":\"r1\",\"deleted\":true}");

        assertThat(berth.run("rig", "rm", "demo")).isZero();
        assertThat(berth.out()).contains("demo is removed");
    }

    @Test
    void work_is_given_by_the_operators_seat() throws IOException {
        Path file = Files.writeString(directory.resolve("work.md"), "long text\n");
        server.on("POST /api/queue/create", 201, "{\"qitemId\":\"q1\"}");

        assertThat(berth.run(
                        "queue",
                        "create",
                        "--to",
                        "team-worker@demo",
                        "--id",
                        "q1",
                        "--priority",
                        "urgent",
                        "--tag",
                        "a",
                        "--tag",
                        "b",
                        "--nudge",
                        "--body-file",
                        file.toString()))
                .isZero();
        assertThat(last().body())
                .isEqualTo("{\"qitemId\":\"q1\",\"destinationSession\":\"team-worker@demo\",\"body\":\"long text\\n\","
                        + "\"priority\":\"urgent\",\"tags\":[\"a\",\"b\"],\"nudge\":true}");
        assertThat(last().headers()).containsEntry("x-openrig-session", "operator@demo");
        assertThat(berth.run("queue", "create", "--to", "team-worker@demo")).isEqualTo(2);
        assertThat(berth.run("queue", "create", "--to", "worker", "--body", "x"))
                .isEqualTo(2);
    }

    @Test
    void each_change_of_an_item_has_its_route_and_body() {
        server.on("GET /api/queue/q1", 200, "{\"qitemId\":\"q1\",\"destinationSession\":\"team-worker@demo\"}");
        for (String action : new String[] {"claim", "unclaim", "update", "handoff"}) {
            server.on("POST /api/queue/q1/" + action, 200, "{\"qitemId\":\"q1\"}");
        }

        berth.run("queue", "claim", "q1", "--as", "team-worker@demo", "--note", "mine");
        berth.run("queue", "unclaim", "q1");
        berth.run("queue", "update", "q1", "--state", "done", "--reason", "blocked_on", "--target", "q2");
        berth.run("queue", "update", "q1", "--reopen");
        berth.run("queue", "handoff", "q1", "--to", "team-other@demo", "--id", "q3", "--body", "go on");

        assertThat(server.bodies("POST /api/queue/q1/claim")).containsExactly("{\"transitionNote\":\"mine\"}");
        assertThat(server.bodies("POST /api/queue/q1/unclaim")).containsExactly("{}");
        assertThat(server.bodies("POST /api/queue/q1/update"))
                .containsExactly(
                        "{\"state\":\"done\",\"closureReason\":\"blocked_on\",\"closureTarget\":\"q2\"}",
                        "{\"reopen\":true}");
        assertThat(server.bodies("POST /api/queue/q1/handoff"))
                .containsExactly("{\"qitemId\":\"q3\",\"destinationSession\":\"team-other@demo\",\"body\":\"go on\"}");
        assertThat(server.requests().stream()
                        .filter(each -> each.target().endsWith("/claim"))
                        .map(each -> each.headers().get("x-openrig-session")))
                .containsExactly("team-worker@demo");
    }

    @Test
    void items_are_a_table_and_one_item_has_its_history() {
        String item = "{\"qitemId\":\"q1\",\"state\":\"in-progress\",\"priority\":\"routine\",\"sourceSession\":"
                + "\"boss@demo\",\"destinationSession\":\"team-worker@demo\",\"body\":\"first line\\nsecond\"}";
        server.on("GET /api/queue/list", 200, "{\"items\":[" + item + "],\"next\":\"q1\"}")
                .on("GET /api/queue/q1", 200, item)
                .on(
                        "GET /api/queue/q1/transitions",
                        request -> Answer.json(
                                200,
                                request.target().contains("after=0")
                                        ? "{\"transitions\":[{\"action\":\"create\",\"state\":\"pending\"}],\"next\":1}"
                                        : "{\"transitions\":[{\"action\":\"claim\",\"state\":\"in-progress\","
                                                + "\"actorSession\":\"team-worker@demo\",\"transitionNote\":\"mine\"}]}"));

        assertThat(berth.run("queue", "list", "--rig", "demo", "--open")).isZero();
        assertThat(last().target()).isEqualTo("/api/queue/list?limit=50&rig=demo&open=true");
        assertThat(berth.out()).contains("q1    in-progress", "first line").doesNotContain("second");
        assertThat(berth.err()).contains("--after q1");
        assertThat(berth.run("queue", "show", "q1")).isZero();
        assertThat(berth.out()).contains("create", "claim", "mine");
    }

    @Test
    void work_and_activity_grants_have_their_own_routes() {
        server.on("POST /api/grants/work", 201, "{\"name\":\"tools\",\"token\":\"w-once\"}")
                .on("POST /api/grants/activity", 201, "{\"grantId\":\"a1\",\"token\":\"a-once\"}")
                .on(
                        "GET /api/grants/work",
                        200,
                        "{\"grants\":[{\"name\":\"tools\",\"seat\":\"team-worker@demo\",\"rigs\":[\"demo\",\"two\"]}]}")
                .on("GET /api/grants/activity", 200, "{\"grants\":[{\"grantId\":\"a1\",\"nodeId\":\"n1\"}]}")
                .on("POST /api/grants/work/tools/revoke", 200, "{\"name\":\"tools\"}")
                .on("POST /api/grants/activity/a1/revoke", 200, "{\"grantId\":\"a1\"}");

        String seat = "team-worker@demo";
        assertThat(berth.run("grant", "issue", "--kind", "work", "--name", "tools", "--seat", seat, "--rig", "demo"))
                .isZero();
        assertThat(berth.run("grant", "issue", "--kind", "activity", "--seat", seat))
                .isZero();
        assertThat(berth.run("grant", "ls", "--kind", "work", "--seat", seat)).isZero();
        assertThat(berth.run("grant", "ls", "--kind", "activity")).isZero();
        assertThat(berth.run("grant", "revoke", "--kind", "work", "tools")).isZero();
        assertThat(berth.run("grant", "revoke", "--kind", "activity", "a1")).isZero();
        assertThat(server.bodies("POST /api/grants/work"))
                .containsExactly("{\"name\":\"tools\",\"seat\":\"team-worker@demo\",\"rigs\":[\"demo\"]}");
        assertThat(server.bodies("POST /api/grants/activity")).containsExactly("{\"seat\":\"team-worker@demo\"}");
        assertThat(berth.out()).contains("w-once", "a-once", "demo two", "n1");
        assertThat(berth.run("grant", "issue", "--kind", "work", "--seat", seat))
                .isEqualTo(2);
        assertThat(berth.run("grant", "issue", "--kind", "other")).isEqualTo(2);
        assertThat(berth.run("grant", "issue")).isEqualTo(2);
    }

    @Test
    void the_completion_script_knows_the_new_commands() {
        assertThat(berth.run("completion")).isZero();
        assertThat(berth.out()).contains("environment", "--guest-base-url", "handoff", "--coordination-ref");
    }
}
