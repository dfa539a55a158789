package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
class AgentCommandsTest {
    private static final String ROUTE = "POST /api/placement/agent-runs";
    private static final String ONE = "/api/placement/attempts/agent-x";
    private static final String HOST = "GET /api/placement/host";
    private static final String INTENDED = "{\"attempt_id\":\"agent-x\",\"execution_state\":\"intended\"}";
    private static final String RUNNING = "{\"attempt_id\":\"agent-x\",\"execution_state\":\"running\"}";
    private static final String EXITED =
            "{\"attempt_id\":\"agent-x\",\"execution_state\":\"exited\",\"exit\":{\"code\":7}}";
    private static final String POLICIES = "{\"placement\":\"native\",\"path\":[\"/bin\"],\"policies\":{"
            + "\"default\":{\"driver\":\"command\",\"profile\":\"batch\",\"model\":null,\"credentials\":[]},"
            + "\"coder\":{\"driver\":\"claude\",\"profile\":\"batch\",\"model\":\"m-1\",\"edits\":true,"
            + "\"credentials\":[\"login\",\"token\"],\"environment\":{}},"
            + "\"screen\":{\"driver\":\"claude\",\"profile\":\"window\",\"edits\":true},"
            + "\"talker\":{\"driver\":\"grok\",\"profile\":\"session\"},"
            + "\"quick\":{\"driver\":\"codex\",\"profile\":\"batch\"},"
            + "\"slow\":{\"driver\":\"codex\",\"profile\":\"batch\"}},"
            + "\"credentials\":{\"login\":{\"kind\":\"file\",\"destination\":null,\"driver\":\"claude\","
            + "\"source\":{\"file\":\"~/.claude/x\"},\"optional\":true}}}";

    private ScriptedServer server;
    private Invocation berth;

    @BeforeEach
    void aServerWithAgents() {
        server = new ScriptedServer()
                .on("GET /api/whoami", 200, "{\"owner_id\":\"owner\",\"roles\":[\"operator\"]}")
                .on(HOST, 200, POLICIES)
                .on(ROUTE, 201, "{\"attempt\":" + INTENDED + ",\"notices\":[]}")
                .on("POST " + ONE + "/attach", 200, "{\"generation\":4}")
                .on("POST " + ONE + "/start", 200, RUNNING)
                .on("GET " + ONE, 200, "{\"attempt\":" + EXITED + "}")
                .on("POST " + ONE + "/cleanup", 200, EXITED)
                .on("POST /api/placement/grants", 201, "{\"grant_ref\":\"g1\"}")
                .on("POST /api/placement/grants/g1/revoke", 200, "{}");
        berth = new Invocation(server.url());
    }

    @AfterEach
    void theScriptWasPlayed() {
        assertThat(server.faults()).isEmpty();
        server.close();
    }

    private int run(String... more) {
        List<String> arguments = new ArrayList<>(List.of("agent", "run", "--name", "x"));
        arguments.addAll(Arrays.asList(more));
        return berth.run(arguments.toArray(String[]::new));
    }

    private int runToItsEnd(String... more) {
        server.stream(peer -> peer.end(0, "\"code\":0"));
        return run(more);
    }

    private String asked() {
        return server.bodies(ROUTE).getFirst();
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(
            delimiter = '|',
            value = {"\"code\":0|0", "\"code\":7|7", "\"signal\":15|143"})
    void output_and_exit_are_the_agents(String exit, int code) {
        server.stream(peer -> {
            peer.output(1, 1, "done\n");
            peer.output(2, 2, "thinking\n");
            peer.end(2, exit);
        });

        assertThat(run("--driver", "claude", "--", "Say", "hello", "--loud")).isEqualTo(code);
        assertThat(berth.out()).isEqualTo("done\n");
        assertThat(berth.err()).isEqualTo("thinking\n");
        assertThat(asked())
                .startsWith("{\"policy_ref\":\"coder\",\"driver\":\"claude\",\"attempt_id\":\"agent-x\","
                        + "\"idempotency_key\":\"cli-")
                .contains("\"owner_id\":\"owner\"", "\"prompt\":\"Say hello --loud\"", "\"recipient\":\"stream\"")
                .doesNotContain("session_ref", "resume", "directory", "worktree", "isolated", "window");
        assertThat(server.bodies("POST " + ONE + "/cleanup")).hasSize(1);
    }

    @Test
    void the_only_policy_of_a_driver_is_taken_and_a_window_is_not_unless_asked_for() {
        assertThat(runToItsEnd("--driver", "grok", "--", "hi")).isZero();
        assertThat(asked()).contains("\"policy_ref\":\"talker\"");
        assertThat(run("--driver", "codex", "--", "hi")).isEqualTo(1);
        assertThat(berth.err())
                .contains(
                        "Several policies fit: quick (codex, batch), slow (codex, batch).", "Choose one with --policy");
    }

    @Test
    void a_named_policy_needs_no_driver() {
        assertThat(runToItsEnd("--policy", "slow", "hi")).isZero();
        assertThat(asked()).contains("\"policy_ref\":\"slow\",\"driver\":\"codex\"");
    }

    @Test
    void without_a_fitting_policy_it_says_where_to_look() {
        assertThat(run("--driver", "agy", "--", "hi")).isEqualTo(1);
        assertThat(run("--policy", "none", "--", "hi")).isEqualTo(1);
        assertThat(run("--policy", "default", "--", "hi")).isEqualTo(1);
        assertThat(run("--policy", "coder", "--window", "--", "hi")).isEqualTo(1);
        assertThat(run("--driver", "codex", "--window")).isEqualTo(1);
        assertThat(berth.err())
                .contains(
                        "No policy of the host has the driver agy.",
                        "berth agent drivers",
                        "The host has no policy \"none\".",
                        "runs commands, not an agent",
                        "The policy coder (claude, batch) is no window.",
                        "No policy of the host has the driver codex in a window.");
        assertThat(server.bodies(ROUTE)).isEmpty();
    }

    @Test
    void a_session_and_what_becomes_of_its_conversation_are_passed_on() {
        runToItsEnd("--policy", "coder", "--session", "team/1", "--resume", "--", "go", "on");
        runToItsEnd("--policy", "coder", "--session", "team/2", "--fresh", "--log", "--env", "A=1", "--", "begin");

        assertThat(server.bodies(ROUTE).get(0)).contains("\"session_ref\":\"team/1\",\"resume\":true");
        assertThat(server.bodies(ROUTE).get(1))
                .contains("\"session_ref\":\"team/2\",\"resume\":false", "\"recipient\":\"log\"", "{\"A\":\"1\"}");
    }

    @Test
    void the_directory_gets_a_grant_as_wide_as_the_agent_may_edit(@TempDir Path directory) throws IOException {
        runToItsEnd("--policy", "coder", "--cwd", directory.toString(), "--worktree", "--", "fix it");
        runToItsEnd("--policy", "quick", "--cwd", directory.toString(), "--", "look");

        assertThat(server.bodies("POST /api/placement/grants").get(0))
                .contains("\"root\":\"" + directory.toRealPath() + "\"", "\"access\":\"write\"", "agent-x");
        assertThat(server.bodies("POST /api/placement/grants").get(1)).contains("\"access\":\"read\"");
        assertThat(asked())
                .contains("\"directory\":{\"grant_ref\":\"g1\",\"root_ref\":\"cwd\",\"access\":\"write\"}")
                .contains("\"worktree\":true");
        assertThat(server.bodies("POST /api/placement/grants/g1/revoke")).hasSize(2);
    }

    @Test
    void a_worktree_or_a_copy_is_of_here_and_its_branch_is_attached() throws IOException {
        runToItsEnd("--policy", "coder", "--worktree=fix", "--", "fix it");
        runToItsEnd("--policy", "coder", "--worktree", "fix", "it");
        runToItsEnd("--policy", "coder", "--isolated", "--worktree", "--", "fix it");

        assertThat(server.bodies(ROUTE).get(0)).contains("\"worktree\":{\"branch\":\"fix\"}");
        assertThat(server.bodies(ROUTE).get(1)).contains("\"worktree\":true", "\"prompt\":\"fix it\"");
        assertThat(server.bodies(ROUTE).get(2)).contains("\"isolated\":true,\"worktree\":true");
        assertThat(server.bodies("POST /api/placement/grants"))
                .hasSize(3)
                .allMatch(body -> body.contains("\"root\":\"" + Path.of("").toAbsolutePath() + "\""));
    }

    @Test
    void a_refused_run_gives_its_grant_back_and_says_what_to_do(@TempDir Path directory) {
        server.on(
                ROUTE,
                409,
                "{\"code\":\"CONFLICT\",\"error\":\"resume is false, but session_ref has a conversation\"}");

        assertThat(run("--policy", "coder", "--session", "s", "--fresh", "--cwd", directory.toString(), "--", "hi"))
                .isEqualTo(1);
        assertThat(berth.err()).contains("resume is false", "(CONFLICT)", "another --session begins anew");
        assertThat(server.bodies("POST /api/placement/grants/g1/revoke")).hasSize(1);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "NOT_FOUND|404|berth agent drivers",
                "UNSUPPORTED_CAPABILITY|422|berth agent drivers",
                "DENIED|403|berth host show",
                "UNAVAILABLE|400|berth status"
            })
    void a_refusal_has_advice_for_agents(String code, int status, String advice) {
        server.on(ROUTE, status, "{\"code\":\"" + code + "\",\"error\":\"No.\"}");

        assertThat(run("--policy", "coder", "--", "hi")).isEqualTo(1);
        assertThat(berth.err()).contains("No. (" + code + ")", advice);
    }

    @Test
    void a_missing_login_is_told_with_what_to_do_and_refuses_nothing() {
        server.on(ROUTE, 201, "{\"attempt\":" + INTENDED + ",\"notices\":[\"LOGIN_REQUIRED\"]}");

        assertThat(runToItsEnd("--driver", "claude", "--", "hi")).isZero();
        assertThat(berth.err()).startsWith("berth: LOGIN_REQUIRED\n  Log in to the agent's program");
        assertThat(berth.out()).isEmpty();
    }

    @Test
    void with_json_every_line_is_an_object() {
        server.on(ROUTE, 201, "{\"attempt\":" + INTENDED + ",\"notices\":[\"LOGIN_REQUIRED\"]}");
        server.stream(peer -> {
            peer.output(1, 1, "hi");
            peer.end(1, "\"code\":3");
        });

        assertThat(run("--driver", "claude", "--json", "--", "hi")).isEqualTo(3);
        assertThat(berth.out().lines())
                .containsExactly(
                        "{\"type\":\"notice\",\"notice\":\"LOGIN_REQUIRED\"}",
                        "{\"type\":\"output\",\"stream\":\"stdout\",\"sequence\":1,\"data\":\"aGk=\"}",
                        "{\"attempt_id\":\"agent-x\",\"type\":\"exit\",\"code\":3}");
        assertThat(berth.err()).isEmpty();
    }

    @Test
    void a_minus_reads_the_prompt_from_stdin() {
        berth.input("first\nsecond ü\n");

        runToItsEnd("--policy", "coder", "--", "-");

        assertThat(asked()).contains("\"prompt\":\"first\\nsecond ü\\n\"");
    }

    @Test
    void a_prompt_on_stdin_that_is_too_long_or_empty_is_refused_here() {
        assertThat(berth.input("x".repeat(65_537)).run("agent", "run", "--policy", "coder", "-"))
                .isEqualTo(1);
        assertThat(berth.input(" \n").run("agent", "run", "--policy", "coder", "-"))
                .isEqualTo(2);
        assertThat(berth.err()).contains("more than 65536 bytes", "The prompt is empty.");
        assertThat(server.bodies(ROUTE)).isEmpty();
    }

    @Test
    void a_session_profile_is_told_the_end_of_its_input() {
        List<String> frames = new CopyOnWriteArrayList<>();
        server.stream(peer -> {
            frames.add(peer.receive());
            peer.end(0, "\"code\":0");
        });

        assertThat(run("--policy", "talker", "--", "hi")).isZero();
        assertThat(frames).containsExactly("{\"type\":\"close_stdin\"}");
    }

    @Test
    void with_stdin_further_lines_go_through_as_they_are() {
        List<String> frames = new CopyOnWriteArrayList<>();
        server.stream(peer -> {
            String frame = peer.receive();
            frames.add(frame.substring(33));
            peer.text("{\"type\":\"input_ack\",\"write_id\":\"" + frame.substring(0, 32) + "\",\"accepted\":true}");
            frames.add(peer.receive());
            peer.end(0, "\"code\":0");
        });
        berth.input("{\"say\":\"more\"}\n");

        assertThat(run("--policy", "talker", "--stdin", "-", "--", "hi")).isZero();
        assertThat(frames).containsExactly("{\"say\":\"more\"}\n", "{\"type\":\"close_stdin\"}");
    }

    @Test
    void options_without_meaning_are_usage() {
        assertThat(run()).isEqualTo(2);
        assertThat(run("--policy", "coder")).isEqualTo(2);
        assertThat(run("--policy", "coder", "--", " ")).isEqualTo(2);
        assertThat(run("--policy", "coder", "--resume", "--", "hi")).isEqualTo(2);
        assertThat(run("--policy", "coder", "--session", "s", "--resume", "--fresh", "--", "hi"))
                .isEqualTo(2);
        assertThat(run("--policy", "coder", "--stdin", "file", "--", "hi")).isEqualTo(2);
        assertThat(run("--policy", "coder", "--stdin", "-", "--", "hi")).isEqualTo(2);
        assertThat(run("--policy", "talker", "--stdin", "-", "--", "-")).isEqualTo(2);
        assertThat(run("--policy", "coder", "--timeout", "soon", "--", "hi")).isEqualTo(2);
        assertThat(run("--policy", "coder", "--env", "A", "--", "hi")).isEqualTo(2);
        assertThat(server.bodies(ROUTE)).isEmpty();
    }

    @Test
    void drivers_are_a_table_with_where_their_programs_are() {
        server.on(
                "GET /api/placement/drivers",
                200,
                "{\"drivers\":[{\"name\":\"claude\",\"executable\":\"claude\",\"found\":\"/bin/claude\",\"profiles\":["
                        + "{\"name\":\"batch\"},{\"name\":\"window\"}],\"login_file\":\".claude/c\"},"
                        + "{\"name\":\"codex\",\"executable\":\"codex\",\"found\":null,\"profiles\":[],"
                        + "\"login_file\":null}]}");

        assertThat(berth.run("agent", "drivers")).isZero();
        assertThat(berth.out().lines())
                .containsExactly(
                        "DRIVER  PROGRAM                          PROFILES       LOGIN FILE",
                        "claude  /bin/claude                      batch, window  .claude/c",
                        "codex   codex is not on the host's path");
    }

    @Test
    void the_host_policy_is_a_table_of_its_policies() {
        assertThat(berth.run("host", "show")).isZero();
        assertThat(berth.out().lines())
                .containsExactly(
                        "placement  native",
                        "path       [\"/bin\"]",
                        "POLICY   DRIVER   PROFILE  MODEL  EDITS  CREDENTIALS",
                        "default  command  batch",
                        "coder    claude   batch    m-1    yes    login, token",
                        "screen   claude   window          yes",
                        "talker   grok     session",
                        "quick    codex    batch",
                        "slow     codex    batch",
                        "CREDENTIAL  KIND  VARIABLE  DRIVER  OPTIONAL",
                        "login       file            claude  yes");
    }

    @Test
    void a_faulty_host_file_is_shown_where_it_is_wrong(@TempDir Path home) throws IOException {
        Files.writeString(home.resolve("host.yaml"), "policies:\n  coder:\n    profile: cloud\n");
        server.on(
                "POST /api/placement/host/reload",
                400,
                "{\"code\":\"INVALID\",\"error\":\"host policy, line 3, column 14: policies.coder.profile must be"
                        + " batch\"}");

        assertThat(berth.with("BERTH_HOME", home.toString()).run("host", "reload"))
                .isEqualTo(1);
        assertThat(berth.err())
                .isEqualTo("berth: host.yaml has a fault in line 3, column 14; the policy in force stays.\n"
                        + "  policies.coder.profile must be batch\n"
                        + "  3 |     profile: cloud\n"
                        + "                   ^\n"
                        + "  Repair it and call `berth host reload` again.\n");
    }

    @Test
    void a_faulty_host_file_of_another_machine_is_told_by_its_line() {
        server.on(
                "POST /api/placement/host/reload",
                400,
                "{\"code\":\"INVALID\",\"error\":\"host policy, line 3, column 14: policies.coder.profile must be"
                        + " batch\"}");

        assertThat(berth.run("host", "reload")).isEqualTo(1);
        assertThat(berth.err()).contains("line 3, column 14", "must be batch").doesNotContain(" | ");
        assertThat(berth.run("host", "reload", "--json")).isEqualTo(1);
        assertThat(berth.err()).contains("{\"code\":\"INVALID\",\"error\":\"host policy, line 3");
    }
}
