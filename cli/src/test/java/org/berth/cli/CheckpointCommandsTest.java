package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.berth.cli.testing.Invocation;
import org.berth.cli.testing.ScriptedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands on checkpoints. */
@Timeout(60)
class CheckpointCommandsTest {
    private static final String TAKE = "POST /api/environments/w1/checkpoint";
    private static final String BINDING = "{\"bindingId\":\"w1\",\"seat\":\"team-worker@demo\",\"generation\":\"g1\"}";
    private static final String RECEIPT = "{\"checkpointId\":\"c1\",\"seat\":\"team-worker@demo\",\"nativeId\":\"n1\","
            + "\"files\":[{\"source\":\"/kept/history-0.jsonl\",\"bytes\":2048}],\"artifacts\":[{}],\"context\":[]}";
    private static final String SUMMARY = "\"checkpointId\":\"c1\",\"bindingId\":\"w1\",\"ageSeconds\":7300,"
            + "\"diskBytes\":2048,\"diskFiles\":1,\"nativeId\":\"n1\",\"requestedBy\":\"operator@demo\","
            + "\"createdAt\":\"2026-01-31T12:00:00Z\"";

    @TempDir
    private Path directory;

    private ScriptedServer server;
    private Invocation berth;

    @BeforeEach
    void aServer() throws IOException {
        server = new ScriptedServer();
        server.on("GET /api/whoami", 200, "{\"owner_id\":\"owner\"}").on("GET /api/environments/w1", 200, BINDING);
        berth = new Invocation(server.url()).with("BERTH_HOME", directory.toRealPath() + "/home");
    }

    @AfterEach
    void theScriptWasPlayed() {
        assertThat(server.faults()).isEmpty();
        server.close();
    }

    @Test
    void the_references_form_and_take_send_the_same() {
        server.on(TAKE, 200, RECEIPT);

        assertThat(berth.run("environment", "checkpoint", "w1", "--generation", "g1", "--operation", "c1"))
                .as(berth.err())
                .isZero();
        assertThat(berth.out())
                .contains(
                        "Checkpoint c1 keeps the conversation n1",
                        "2.0 KiB",
                        "/kept/history-0.jsonl",
                        "1, by reference");
        assertThat(berth.run("environment", "checkpoint", "take", "w1", "--operation", "c1"))
                .isZero();
        assertThat(server.bodies(TAKE)).hasSize(2).containsOnly("{\"operationId\":\"c1\",\"generation\":\"g1\"}");
        assertThat(berth.run("environment", "checkpoint")).isEqualTo(2);
    }

    @Test
    void a_capture_that_goes_on_is_1_and_says_how_to_ask_again() {
        server.on(TAKE, 202, "{\"operationId\":\"c1\",\"bindingId\":\"w1\",\"state\":\"pending\",\"executionId\":12}");

        assertThat(berth.run("environment", "checkpoint", "take", "w1", "--operation", "c1", "--json"))
                .isEqualTo(1);
        assertThat(berth.out()).contains("\"executionId\":12");
        assertThat(berth.err()).contains("--operation c1");
    }

    @Test
    void what_was_never_launched_has_nothing_to_keep() {
        server.on("GET /api/environments/w1", 200, "{\"bindingId\":\"w1\",\"seat\":\"team-worker@demo\"}");

        assertThat(berth.run("environment", "checkpoint", "take", "w1")).isEqualTo(1);
        assertThat(server.bodies(TAKE)).isEmpty();
    }

    @Test
    void list_shows_age_and_disk() {
        server.on(
                "GET /api/environments/w1/checkpoints",
                200,
                "{\"checkpoints\":[{" + SUMMARY + ",\"state\":\"retained\"}],\"nextAfter\":\"c1\"}");

        assertThat(berth.run("environment", "checkpoint", "list", "w1"))
                .as(berth.err())
                .isZero();
        assertThat(berth.out()).contains("c1", "retained", "2 h", "2.0 KiB", "n1");
        assertThat(berth.err()).contains("--after c1");
        assertThat(server.requests().getLast().target()).isEqualTo("/api/environments/w1/checkpoints?limit=50");
    }

    @Test
    void show_says_what_failed_and_which_steps_ran() {
        server.on(
                "GET /api/checkpoints/c1",
                200,
                "{" + SUMMARY + ",\"state\":\"failed\",\"code\":\"environment_checkpoint_incomplete\",\"status\":409,"
                        + "\"detail\":\"Half a record.\",\"uses\":[\"snapshot 3\"],\"executions\":[{\"executionId\":7,"
                        + "\"status\":\"FAILED\",\"steps\":[{\"step\":\"select\",\"status\":\"FAILED\"}]}]}");

        assertThat(berth.run("environment", "checkpoint", "show", "c1"))
                .as(berth.err())
                .isZero();
        assertThat(berth.out())
                .contains(
                        "environment_checkpoint_incomplete: Half a record.",
                        "needed by  snapshot 3",
                        "select",
                        "FAILED");
    }

    @Test
    void delete_acts_in_the_rig_of_the_checkpoint() {
        server.on("GET /api/checkpoints/c1", 200, "{" + SUMMARY + ",\"state\":\"retained\"}")
                .on(
                        "DELETE /api/checkpoints/c1",
                        200,
                        "{\"checkpointId\":\"c1\",\"removed\":true,\"freedBytes\":2048}");

        assertThat(berth.run("environment", "checkpoint", "delete", "c1"))
                .as(berth.err())
                .isZero();
        assertThat(berth.out()).contains("is removed", "2.0 KiB");
        assertThat(server.requests().getLast().headers()).containsEntry("x-openrig-session", "operator@demo");
    }
}
