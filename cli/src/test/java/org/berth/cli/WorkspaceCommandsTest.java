package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.berth.cli.testing.Invocation;
import org.berth.cli.testing.ScriptedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workspaces outside a session. */
@Timeout(60)
class WorkspaceCommandsTest {
    private static final String ROUTE = "/api/harness/workspaces";

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

    private static String workspace(String state, String handBack) {
        return "{\"workspaceId\":\"w1\",\"ownerId\":\"owner\",\"parent\":\"/srv/work\",\"mode\":\"isolated\","
                + "\"state\":\"" + state + "\",\"directory\":\"/state/copy\",\"grantRef\":\"g1\",\"handBack\":"
                + handBack + "}";
    }

    @Test
    void create_names_the_current_directory_and_leaves_the_mode_to_the_server() {
        server.on("POST " + ROUTE, 201, workspace("ready", "null"));

        assertThat(berth.run("workspace", "create")).as(berth.err()).isZero();

        assertThat(server.bodies("POST " + ROUTE))
                .containsExactly("{\"parent\":\"" + Path.of("").toAbsolutePath() + "\"}");
        assertThat(berth.out()).contains("w1", "/state/copy");
    }

    @Test
    void create_sends_what_is_given() {
        server.on("POST " + ROUTE, 201, workspace("ready", "null"));

        berth.run("workspace", "create", "/srv/./work", "--mode", "shared");

        assertThat(server.bodies("POST " + ROUTE)).containsExactly("{\"parent\":\"/srv/work\",\"mode\":\"shared\"}");
    }

    @Test
    void a_mode_of_no_such_name_is_not_sent() {
        assertThat(berth.run("workspace", "create", "--mode", "mine")).isEqualTo(2);
        assertThat(berth.err()).contains("isolated or shared");
    }

    @Test
    void show_tells_where_it_is() {
        server.on("GET " + ROUTE + "/w1", 200, workspace("ready", "null"));

        assertThat(berth.run("workspace", "show", "w1")).isZero();

        assertThat(berth.out()).contains("/srv/work", "/state/copy");
    }

    @Test
    void hand_back_counts_the_conflicts() {
        server.on(
                "POST " + ROUTE + "/w1/hand-back",
                200,
                workspace(
                        "handed_back",
                        "{\"taken\":[\"a\"],\"removed\":[],\"conflicts\":[{\"path\":\"b\",\"reason\":\"both_changed\","
                                + "\"childVersion\":\"/state/conflicts/b\"}],\"same\":0,\"unchanged\":3}"));

        assertThat(berth.run("workspace", "hand-back", "w1")).as(berth.err()).isZero();

        assertThat(berth.out()).contains("handed_back", "/state/conflicts/b");
        assertThat(berth.err()).contains("1 files were changed on both sides");
    }

    @Test
    void hand_back_of_what_is_still_worked_in_says_so() {
        server.on(
                "POST " + ROUTE + "/w1/hand-back",
                409,
                "{\"code\":\"CONFLICT\",\"error\":\"these attempts work in the workspace: a1; stop them first\"}");

        assertThat(berth.run("workspace", "hand-back", "w1")).isEqualTo(1);

        assertThat(berth.err()).contains("a1");
    }
}
