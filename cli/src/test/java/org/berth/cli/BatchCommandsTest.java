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

/** The commands on batch executions. */
@Timeout(60)
class BatchCommandsTest {
    private static final String RESTART = "POST /api/batch/executions/12/restart";

    @TempDir
    private Path directory;

    private ScriptedServer server;
    private Invocation berth;

    @BeforeEach
    void aServer() throws IOException {
        server = new ScriptedServer();
        berth = new Invocation(server.url()).with("BERTH_HOME", directory.toRealPath() + "/home");
    }

    @AfterEach
    void theScriptWasPlayed() {
        assertThat(server.faults()).isEmpty();
        server.close();
    }

    @Test
    void ls_shows_steps_result_and_what_can_be_restarted() {
        server.on(
                "GET /api/batch/executions",
                200,
                "{\"executions\":[{\"executionId\":12,\"job\":\"checkpoint-capture\",\"status\":\"STOPPED\","
                        + "\"exitStatus\":\"environment_checkpoint_changed 409: Changed.\",\"started\":null,"
                        + "\"checkpointId\":\"c1\",\"restartable\":true,\"steps\":[{\"step\":\"select\","
                        + "\"status\":\"COMPLETED\"},{\"step\":\"verify\",\"status\":\"FAILED\"}]}]}");

        assertThat(berth.run("batch", "ls", "--job", "checkpoint-capture", "--state", "stopped"))
                .as(berth.err())
                .isZero();

        assertThat(berth.out())
                .contains("12", "yes", "c1", "select COMPLETED, verify FAILED", "environment_checkpoint_changed 409");
        assertThat(server.requests().getLast().target())
                .isEqualTo("/api/batch/executions?limit=20&job=checkpoint-capture&state=stopped");
    }

    @Test
    void restart_names_the_new_execution() {
        server.on(RESTART, 200, "{\"executionId\":15,\"restarted\":12}");

        assertThat(berth.run("batch", "restart", "12")).as(berth.err()).isZero();

        assertThat(berth.out()).contains("Execution 12 goes on as 15.");
    }

    @Test
    void a_refusal_is_told_and_fails() {
        server.on(
                RESTART,
                409,
                "{\"code\":\"CONFLICT\",\"error\":\"Execution 12 was restarted already; the newest is 15.\"}");

        assertThat(berth.run("batch", "restart", "12")).isEqualTo(ExitCodes.FAILED);

        assertThat(berth.err()).contains("the newest is 15");
    }
}
