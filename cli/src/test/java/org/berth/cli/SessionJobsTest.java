package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import org.berth.cli.testing.Invocation;
import org.berth.cli.testing.ScriptedServer;
import org.berth.cli.testing.ScriptedServer.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands and cells of a session, while they run and after. */
@Timeout(60)
class SessionJobsTest {
    private static final String ROUTE = "/api/harness/sessions/s1";
    private static final String BASH = "POST " + ROUTE + "/bash";
    private static final String WAIT = "POST " + ROUTE + "/jobs/j1/wait";
    /** Longer than any of these tests: what detaches here detaches because the script says so. */
    private static final long AMPLE_MS = 600_000;

    private ScriptedServer server;
    private Invocation berth;

    @BeforeEach
    void aServer() {
        server = new ScriptedServer();
        session(AMPLE_MS, "tail");
        berth = new Invocation(server.url());
    }

    @AfterEach
    void theScriptWasPlayed() {
        assertThat(server.faults()).isEmpty();
        server.close();
    }

    private void session(long budgetMs, String keep) {
        server.on(
                "GET " + ROUTE,
                200,
                "{\"sessionId\":\"s1\",\"state\":\"open\",\"toolBlockingBudgetMs\":" + budgetMs
                        + ",\"truncation\":{\"on\":{\"bytes\":9,\"lines\":9,\"keep\":\"" + keep + "\"}}}");
    }

    private static String detached(String output, long dropped) {
        return "{\"detached\":{\"job\":\"j1\",\"budgetMs\":1}," + output(output, dropped) + "}";
    }

    private static String settled(String end, String output, long dropped) {
        return "{\"job\":\"j1\"," + end + "," + output(output, dropped) + "}";
    }

    private static String output(String text, long dropped) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return "\"output\":\"as text\",\"outputBase64\":\""
                + Base64.getEncoder().encodeToString(bytes)
                + "\",\"keptBytes\":" + bytes.length + ",\"droppedBytes\":" + dropped + ",\"artifact\":"
                + (dropped == 0 ? "null" : "\"/state/out.log\"");
    }

    /** Each answer once, the last one for ever. */
    private void answers(String route, String... answers) {
        Iterator<String> rest = Arrays.asList(answers).iterator();
        String last = answers[answers.length - 1];
        server.on(route, request -> {
            synchronized (rest) {
                return Answer.json(200, rest.hasNext() ? rest.next() : last);
            }
        });
    }

    @Test
    void output_is_shown_once_and_in_order_while_the_command_runs() {
        answers(BASH, detached("", 0));
        answers(
                WAIT,
                detached("one ", 0),
                detached("one ", 0),
                detached("one two ", 0),
                settled("\"exitCode\":7", "one two \377", 0));

        assertThat(berth.run("session", "bash", "s1", "--", "make")).isEqualTo(7);

        assertThat(new String(berth.outBytes(), StandardCharsets.ISO_8859_1)).isEqualTo("one two \377");
        assertThat(berth.err()).isEmpty();
        assertThat(server.bodies(BASH)).containsExactly("{\"command\":\"make\",\"wait\":false}");
        assertThat(server.bodies(WAIT)).hasSize(4).allMatch(body -> body.matches("\\{\"timeoutMs\":\\d+}"));
    }

    @Test
    void a_command_that_ended_at_once_needs_no_second_request() {
        answers(BASH, settled("\"exitCode\":0", "done", 0));

        assertThat(berth.run("session", "bash", "s1", "--", "true")).isZero();

        assertThat(berth.out()).isEqualTo("done");
        assertThat(server.bodies(WAIT)).isEmpty();
    }

    @Test
    void the_exit_code_tells_a_signal_and_a_kill_as_shells_do() {
        answers(
                BASH,
                settled("\"signal\":15", "", 0),
                settled("\"killed\":true", "", 0),
                settled("\"state\":\"unknown\"", "", 0));

        assertThat(berth.run("session", "bash", "s1", "--", "x")).isEqualTo(143);
        assertThat(berth.run("session", "bash", "s1", "--", "x")).isEqualTo(137);
        assertThat(berth.err()).isEmpty();
        assertThat(berth.run("session", "bash", "s1", "--", "x")).isEqualTo(1);
        assertThat(berth.err()).contains("nobody knows how");
    }

    @Test
    void one_word_is_the_shells_line_and_several_stay_words() {
        answers(BASH, settled("\"exitCode\":0", "", 0));

        berth.run("session", "bash", "s1", "--", "make && echo $HOME");
        berth.run("session", "bash", "s1", "--", "ls", "-l", "a b", "it's", "", "--json");

        assertThat(server.bodies(BASH))
                .containsExactly(
                        "{\"command\":\"make && echo $HOME\",\"wait\":false}",
                        "{\"command\":\"ls -l 'a b' 'it'\\\\''s' '' --json\",\"wait\":false}");
    }

    @Test
    void past_the_budget_the_job_goes_on_and_the_way_to_wait_is_told() {
        session(1, "tail");
        answers(BASH, detached("begun", 0));
        answers(WAIT, detached("begun", 0));

        assertThat(berth.run("session", "bash", "s1", "--", "sleep 900")).isEqualTo(124);

        assertThat(berth.out()).isEqualTo("begun");
        assertThat(berth.err()).isEqualTo("berth: job j1 goes on; wait for it with `berth session wait s1 j1`\n");
    }

    @Test
    void with_follow_a_line_tells_that_the_job_runs_on_until_it_ends() {
        session(1, "tail");
        answers(BASH, detached("12345", 0));
        answers(WAIT, detached("12345", 0), detached("12345", 0), settled("\"exitCode\":3", "12345678", 0));

        assertThat(berth.run("session", "bash", "s1", "--follow", "--", "make")).isEqualTo(3);

        assertThat(berth.out()).isEqualTo("12345678");
        assertThat(berth.err()).matches("berth: job j1 runs on \\d+ s, 5 bytes\n");
    }

    @Test
    void without_waiting_the_jobs_id_is_the_output() {
        answers(BASH, detached("", 0));

        assertThat(berth.run("session", "bash", "s1", "--no-wait", "--", "serve"))
                .isZero();

        assertThat(berth.out()).isEqualTo("j1\n");
        assertThat(berth.err()).contains("berth session wait s1 j1");
        assertThat(server.bodies(WAIT)).isEmpty();
        assertThat(berth.run("session", "bash", "s1", "--no-wait", "--follow", "--", "x"))
                .isEqualTo(2);
        assertThat(berth.run("session", "bash", "s1")).isEqualTo(2);
    }

    @Test
    void what_the_server_let_go_before_it_was_shown_is_told_where_it_is_missing() {
        answers(BASH, detached("abc", 0));
        answers(WAIT, detached("fgh", 5), settled("\"exitCode\":0", "klm", 10));

        assertThat(berth.run("session", "bash", "s1", "--", "x")).isZero();

        assertThat(berth.out()).isEqualTo("abcfghklm");
        assertThat(berth.err())
                .isEqualTo("berth: output comes faster than the session keeps it; bytes are missing here\n"
                        + "berth: 4 bytes of the output were not kept; all of it is in the file /state/out.log of the"
                        + " server's host\n");
    }

    @Test
    void a_session_that_keeps_the_head_shows_it_and_counts_the_rest() {
        session(AMPLE_MS, "head");
        answers(BASH, detached("abc", 0));
        answers(WAIT, detached("abcd", 10), settled("\"exitCode\":0", "abcd", 20));

        assertThat(berth.run("session", "bash", "s1", "--", "x")).isZero();

        assertThat(berth.out()).isEqualTo("abcd");
        assertThat(berth.err())
                .isEqualTo("berth: 20 bytes of the output were not kept; all of it is in the file /state/out.log of the"
                        + " server's host\n");
    }

    @Test
    void all_of_a_tail_that_was_seen_in_time_leaves_nothing_to_say() {
        answers(BASH, detached("abc", 0));
        answers(WAIT, detached("bcd", 1), settled("\"exitCode\":0", "def", 3));

        assertThat(berth.run("session", "bash", "s1", "--", "x")).isZero();

        assertThat(berth.out()).isEqualTo("abcdef");
        assertThat(berth.err()).isEmpty();
    }

    @Test
    void a_program_gets_the_servers_last_answer_and_the_same_exit_code() {
        answers(BASH, settled("\"exitCode\":7", "x", 0), detached("", 0), detached("", 0));
        answers(WAIT, detached("", 0), settled("\"exitCode\":5", "y", 0));

        assertThat(berth.run("session", "bash", "s1", "--json", "--", "a")).isEqualTo(7);
        assertThat(berth.run("session", "bash", "s1", "--json", "--", "b")).isEqualTo(124);
        assertThat(berth.run("session", "bash", "s1", "--json", "--follow", "--", "c"))
                .isEqualTo(5);

        assertThat(berth.out().lines())
                .containsExactly(settled("\"exitCode\":7", "x", 0), detached("", 0), settled("\"exitCode\":5", "y", 0));
        assertThat(berth.err()).isEmpty();
        assertThat(server.bodies(BASH)).allMatch(body -> body.endsWith("\"wait\":true}"));
    }

    @Test
    void a_server_that_is_away_for_a_moment_is_waited_for() {
        answers(BASH, detached("a", 0));
        Iterator<Answer> rest = List.of(
                        Answer.json(503, "{\"code\":\"UNAVAILABLE\",\"error\":\"Not now.\"}"),
                        Answer.json(200, settled("\"exitCode\":0", "ab", 0)))
                .iterator();
        server.on(WAIT, request -> rest.next());

        assertThat(berth.run("session", "bash", "s1", "--", "x")).isZero();

        assertThat(berth.out()).isEqualTo("ab");
    }

    @Test
    void wait_shows_the_output_and_ends_as_the_job_does() {
        job("running", "\"producedBytes\":2", "a\n");
        answers(WAIT, detached("a\nb", 0), settled("\"exitCode\":4", "a\nb\n", 0));

        assertThat(berth.run("session", "wait", "s1", "j1")).isEqualTo(4);

        assertThat(berth.out()).isEqualTo("a\nb\n");
        assertThat(berth.err()).contains("job j1 runs on");
    }

    @Test
    void wait_for_a_job_that_has_ended_says_nothing_of_running() {
        job("exited", "\"exitCode\":4", "a");
        answers(WAIT, settled("\"exitCode\":4", "a", 0));

        assertThat(berth.run("session", "wait", "s1", "j1")).isEqualTo(4);

        assertThat(berth.out()).isEqualTo("a");
        assertThat(berth.err()).isEmpty();
    }

    @Test
    void wait_with_a_timeout_leaves_a_job_that_outlasts_it() {
        job("running", "\"producedBytes\":1", "a");
        answers(WAIT, detached("a", 0));

        assertThat(berth.run("session", "wait", "s1", "j1", "--timeout", "1ms")).isEqualTo(124);

        assertThat(berth.err()).contains("job j1 goes on");
        assertThat(berth.run("session", "wait", "s1", "j1", "--timeout", "later"))
                .isEqualTo(2);
    }

    @Test
    void a_job_whose_end_nobody_saw_is_not_waited_for() {
        job("unknown", "\"producedBytes\":1", "a");

        assertThat(berth.run("session", "wait", "s1", "j1")).isEqualTo(1);

        assertThat(berth.out()).isEqualTo("a");
        assertThat(berth.err()).contains("nobody knows how");
        assertThat(server.bodies(WAIT)).isEmpty();
    }

    @Test
    void cancel_tells_what_became_of_the_job() {
        answers(
                "POST " + ROUTE + "/jobs/j1/cancel",
                settled("\"killed\":true", "", 0),
                settled("\"exitCode\":9", "", 0),
                detached("", 0));

        assertThat(berth.run("session", "cancel", "s1", "j1")).isZero();
        assertThat(berth.run("session", "cancel", "s1", "j1")).isZero();
        assertThat(berth.run("session", "cancel", "s1", "j1")).isEqualTo(1);

        assertThat(berth.out().lines())
                .containsExactly(
                        "job j1 is stopped", "job j1 had ended by itself with exit code 9", "job j1 is still stopping");
    }

    @Test
    void jobs_are_a_table() {
        server.on(
                "GET " + ROUTE + "/jobs",
                200,
                "{\"jobs\":[{\"job\":\"j1\",\"kind\":\"bash\",\"title\":\"make\\nall\",\"state\":\"exited\",\"exitCode\":2,"
                        + "\"producedBytes\":90,\"droppedBytes\":30},{\"job\":\"j2\",\"kind\":\"cell\",\"title\":\"f()\","
                        + "\"state\":\"killed\",\"signal\":9}]}");

        assertThat(berth.run("session", "jobs", "s1")).isZero();

        assertThat(berth.out().lines())
                .containsExactly(
                        "JOB  KIND  STATE   EXIT      STARTED  ENDED  BYTES  DROPPED  COMMAND",
                        "j1   bash  exited  2                         90     30       make",
                        "j2   cell  killed  signal 9                                  f()");
    }

    @Test
    void a_cell_prints_its_output_and_then_its_result() {
        cell("\"status\":\"ok\",\"result\":\"45\",\"error\":null," + output("hi\n", 0));

        assertThat(berth.input("x = 1\nx").run("session", "cell", "s1", "-")).isZero();

        assertThat(berth.out()).isEqualTo("hi\n45\n");
        assertThat(server.bodies("POST " + ROUTE + "/cells")).containsExactly("{\"code\":\"x = 1\\nx\"}");
    }

    @Test
    void a_cell_that_fails_is_1_with_its_trace_on_stderr() {
        cell("\"status\":\"error\",\"result\":null,\"error\":{\"name\":\"ValueError\",\"text\":\"no\",\"traceback\":"
                + "[\"Traceback:\\n\",\"ValueError: \\u001b[2Jno\\n\"]}," + output("", 0));

        assertThat(berth.run("session", "cell", "s1", "f()")).isEqualTo(1);

        assertThat(berth.out()).isEmpty();
        assertThat(berth.err())
                .contains("Traceback:\nValueError: ", "the cell ended with error")
                .doesNotContain("\033");
    }

    @Test
    void a_cell_without_a_trace_says_its_reason() {
        cell("\"status\":\"interrupted\",\"result\":null,\"error\":{\"name\":\"KeyboardInterrupt\",\"text\":\"\"},"
                + output("", 0));

        assertThat(berth.run("session", "cell", "s1", "f()")).isEqualTo(1);

        assertThat(berth.err()).contains("the cell ended with interrupted: KeyboardInterrupt");
    }

    @Test
    void a_cell_that_outlasts_the_budget_goes_on_as_a_job() {
        server.on("POST " + ROUTE + "/cells", 200, detached("so far", 0));

        assertThat(berth.run("session", "cell", "s1", "f()")).isEqualTo(124);

        assertThat(berth.out()).isEqualTo("so far");
        assertThat(berth.err()).contains("job j1 goes on");
    }

    private void cell(String members) {
        server.on("POST " + ROUTE + "/cells", 200, "{\"cell\":\"c1\"," + members + "}");
    }

    private void job(String state, String members, String output) {
        server.on(
                "GET " + ROUTE + "/jobs/j1",
                200,
                "{\"job\":\"j1\",\"kind\":\"bash\",\"state\":\"" + state + "\",\"startedAt\":\"2026-01-02T03:04:05Z\","
                        + members + "," + output(output, 0) + "}");
    }
}
