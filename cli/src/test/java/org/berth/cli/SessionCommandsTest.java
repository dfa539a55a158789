package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.cli.testing.Invocation;
import org.berth.cli.testing.ScriptedServer;
import org.berth.cli.testing.ScriptedServer.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions, their entries and what happens in them. */
@Timeout(60)
class SessionCommandsTest {
    private static final String ROUTE = "/api/harness/sessions";
    private static final String SESSION = "{\"sessionId\":\"s1\",\"ownerId\":\"owner\",\"cwd\":\"/srv/work\",\"state\":"
            + "\"open\",\"truncation\":{\"on\":{\"bytes\":51200,\"lines\":2000,\"keep\":\"tail\"}},"
            + "\"toolBlockingBudgetMs\":1000,\"kernelTransport\":null,\"parent\":null,\"workspace\":\"shared\","
            + "\"head\":\"e2\",\"entries\":2,\"createdAt\":\"2026-01-02T03:04:05Z\",\"updatedAt\":"
            + "\"2026-01-02T03:04:06Z\",\"outcome\":null,\"handBack\":null}";

    private ScriptedServer server;
    private Invocation berth;

    @BeforeEach
    void aServer() {
        server = new ScriptedServer();
        server.on("GET " + ROUTE + "/s1", 200, SESSION);
        berth = new Invocation(server.url());
    }

    @AfterEach
    void theScriptWasPlayed() {
        assertThat(server.faults()).isEmpty();
        server.close();
    }

    @Test
    void open_names_the_current_directory_and_leaves_the_rest_to_the_server() {
        server.on("POST " + ROUTE, 201, SESSION);

        assertThat(berth.run("session", "open")).as(berth.err()).isZero();

        assertThat(server.bodies("POST " + ROUTE))
                .containsExactly("{\"cwd\":\"" + Path.of("").toAbsolutePath() + "\"}");
        assertThat(berth.out())
                .contains("s1", "/srv/work", "truncation.on.keep")
                .doesNotContain("kernelTransport");
    }

    @Test
    void open_sends_every_option_that_is_given() {
        server.on("POST " + ROUTE, 201, SESSION);

        berth.run(
                "session",
                "open",
                "--cwd",
                "/srv/./work",
                "--workspace",
                "isolated",
                "--parent",
                "p1",
                "--transport",
                "docker",
                "--budget",
                "2m",
                "--bytes",
                "10",
                "--lines",
                "3",
                "--keep",
                "head");

        assertThat(server.bodies("POST " + ROUTE))
                .containsExactly("{\"cwd\":\"/srv/work\",\"truncation\":{\"on\":{\"bytes\":10,\"lines\":3,\"keep\":"
                        + "\"head\"}},\"toolBlockingBudgetMs\":120000,\"kernelTransport\":\"docker\",\"parent\":\"p1\","
                        + "\"workspace\":\"isolated\"}");
    }

    @Test
    void one_limit_alone_keeps_the_usual_other_limits() {
        server.on("POST " + ROUTE, 201, SESSION);

        berth.run("session", "open", "--cwd", "/w", "--lines", "5");
        berth.run("session", "open", "--cwd", "/w", "--no-truncation");

        assertThat(server.bodies("POST " + ROUTE))
                .containsExactly(
                        "{\"cwd\":\"/w\",\"truncation\":{\"on\":{\"bytes\":51200,\"lines\":5,\"keep\":\"tail\"}}}",
                        "{\"cwd\":\"/w\",\"truncation\":\"off\"}");
    }

    @Test
    void what_open_cannot_mean_is_2_and_reaches_no_server() {
        assertThat(berth.run("session", "open", "--no-truncation", "--bytes", "5"))
                .isEqualTo(2);
        assertThat(berth.run("session", "open", "--keep", "middle")).isEqualTo(2);
        assertThat(berth.run("session", "open", "--workspace", "own")).isEqualTo(2);
        assertThat(berth.run("session", "open", "--budget", "soon")).isEqualTo(2);
        assertThat(berth.run("session", "open", "--lines", "-1")).isEqualTo(2);
        assertThat(berth.run("session")).isEqualTo(2);
        assertThat(server.requests()).isEmpty();
        assertThat(berth.err()).contains("--keep is head or tail: middle", "--workspace is shared or isolated: own");
    }

    @Test
    void a_directory_that_is_gone_is_1_with_the_way_out() {
        server.on(
                "POST " + ROUTE,
                400,
                "{\"code\":\"INVALID\",\"error\":\"working directory /gone is gone\",\"status\":400}");

        assertThat(berth.run("session", "open", "--cwd", "/gone")).isEqualTo(1);

        assertThat(berth.err()).contains("working directory /gone is gone (INVALID)", "--cwd DIR");
    }

    @Test
    void sessions_are_a_table_for_people_and_the_servers_answer_for_programs() {
        server.on("GET " + ROUTE, 200, "{\"sessions\":[" + SESSION + "]}");

        assertThat(berth.run("session", "list")).isZero();
        assertThat(berth.out().lines().map(line -> line.replaceAll("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d", "T")))
                .containsExactly(
                        "SESSION  STATE  WORKSPACE  ENTRIES  PARENT  UPDATED              DIRECTORY",
                        "s1       open   shared     2                T  /srv/work");
        Invocation program = new Invocation(server.url());
        program.run("session", "list", "--limit", "1", "--json");
        assertThat(program.out()).isEqualTo("{\"sessions\":[" + SESSION + "]}\n");
        assertThat(server.requests().stream().map(ScriptedServer.Request::target))
                .containsExactly(ROUTE + "?limit=50", ROUTE + "?limit=1");
    }

    @Test
    void a_session_that_is_not_there_is_1_and_says_where_to_look() {
        assertThat(berth.run("session", "show", "nobody")).isEqualTo(1);
        assertThat(berth.err()).contains("(NOT_FOUND)", "berth session list");

        Invocation entry = new Invocation(server.url());
        assertThat(entry.run("session", "navigate", "s1", "e9")).isEqualTo(1);
        assertThat(entry.err()).contains("berth session entries s1");

        Invocation job = new Invocation(server.url());
        assertThat(job.run("session", "cancel", "s1", "j9", "--json")).isEqualTo(1);
        assertThat(job.err()).contains("\"code\":\"NOT_FOUND\"", "berth session jobs s1");
    }

    @Test
    void an_ended_session_says_how_to_open_it_again() {
        server.on(
                "POST " + ROUTE + "/s1/navigate", 409, "{\"code\":\"CONFLICT\",\"error\":\"The session has ended.\"}");

        assertThat(berth.run("session", "navigate", "s1", "e1")).isEqualTo(1);

        assertThat(berth.err()).contains("The session has ended. (CONFLICT)", "berth session reopen s1");
    }

    @Test
    void an_id_is_one_part_of_its_route_whatever_is_in_it() {
        berth.run("session", "show", "a/b?c");

        assertThat(server.requests().getLast().target()).isEqualTo(ROUTE + "/a%2Fb%3Fc");
    }

    @Test
    void reopen_names_a_directory_only_when_one_is_given() {
        server.on("POST " + ROUTE + "/s1/reopen", 200, SESSION);

        assertThat(berth.run("session", "reopen", "s1")).isZero();
        assertThat(berth.run("session", "reopen", "s1", "--cwd", "/moved")).isZero();

        assertThat(server.bodies("POST " + ROUTE + "/s1/reopen")).containsExactly("{}", "{\"cwd\":\"/moved\"}");
    }

    @Test
    void end_shows_the_outcome_and_points_to_conflicts() {
        server.on(
                "DELETE " + ROUTE + "/s1",
                200,
                "{\"sessionId\":\"s1\",\"state\":\"ended\",\"outcome\":\"ended\",\"handBack\":{\"conflicts\":[\"a.txt\","
                        + "\"b.txt\"]}}");

        assertThat(berth.run("session", "end", "s1")).isZero();

        assertThat(berth.out()).contains("state               ended", "a.txt");
        assertThat(berth.err()).contains("2 files were changed on both sides");
    }

    @Test
    void entries_are_a_table_with_a_mark_at_the_head() {
        server.on(
                "GET " + ROUTE + "/s1/entries",
                200,
                "{\"entries\":[{\"entryId\":\"e1\",\"sequence\":1,\"parent\":null,\"kind\":\"message\",\"body\":{\"text\":"
                        + "\"hello\"}},{\"entryId\":\"e2\",\"sequence\":2,\"parent\":\"e1\",\"kind\":\"note\",\"body\":{}}],"
                        + "\"head\":\"e2\"}");

        assertThat(berth.run("session", "entries", "s1", "--limit", "2")).isZero();

        List<String> lines = berth.out().lines().toList();
        assertThat(lines.get(1))
                .startsWith("1  ")
                .contains("e1", "message", "{\"text\":\"hello\"}")
                .doesNotContain("*");
        assertThat(lines.get(2)).contains("*", "e2", "e1", "note");
        assertThat(berth.err()).contains("--after 2");
        assertThat(server.requests().getLast().target()).isEqualTo(ROUTE + "/s1/entries?after=0&limit=2");
    }

    @Test
    void navigate_and_fork_name_the_jobs_that_they_stop() {
        server.on(
                        "POST " + ROUTE + "/s1/navigate",
                        200,
                        "{\"head\":\"e1\",\"stoppedJobs\":[\"j2\",\"j3\"],\"stoppingJobs\":[\"j4\"]}")
                .on(
                        "POST " + ROUTE + "/s1/fork",
                        200,
                        "{\"session\":{\"sessionId\":\"s2\",\"state\":\"open\"},\"stoppedJobs\":[],\"stoppingJobs\":[]}");

        assertThat(berth.run("session", "navigate", "s1", "e1")).isZero();
        assertThat(berth.out()).isEqualTo("The session stands at e1.\n");
        assertThat(berth.err())
                .isEqualTo("berth: stopped, because they began after that entry: j2 j3\nberth: still stopping: j4\n");
        Invocation fork = new Invocation(server.url());
        assertThat(fork.run("session", "fork", "s1", "--root")).isZero();
        assertThat(fork.out()).contains("s2");
        assertThat(fork.err()).isEmpty();
        assertThat(server.bodies("POST " + ROUTE + "/s1/navigate")).containsExactly("{\"entryId\":\"e1\"}");
        assertThat(server.bodies("POST " + ROUTE + "/s1/fork")).containsExactly("{\"entryId\":null}");
    }

    @Test
    void navigate_needs_an_entry_or_the_root_and_not_both() {
        assertThat(berth.run("session", "navigate", "s1")).isEqualTo(2);
        assertThat(berth.run("session", "fork", "s1", "e1", "--root")).isEqualTo(2);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void state_and_prompt_are_shown_for_people() {
        server.on(
                        "GET " + ROUTE + "/s1/state",
                        200,
                        "{\"documents\":[{\"type\":\"berth.job\",\"key\":\"j1\",\"body\":{\"title\":\"make\"}}]}")
                .on(
                        "GET " + ROUTE + "/s1/prompt",
                        200,
                        "{\"sections\":[{\"name\":\"running-jobs\",\"text\":\"1 job\\n\\u001b[2Jj1\"}]}");

        assertThat(berth.run("session", "state", "s1")).isZero();
        assertThat(berth.run("session", "prompt", "s1")).isZero();

        assertThat(berth.out())
                .contains("berth.job  j1   {\"title\":\"make\"}", "running-jobs\n1 job\n")
                .doesNotContain("\033");
    }

    @Test
    void events_are_printed_through_new_streams_until_the_session_has_ended() {
        AtomicInteger streams = new AtomicInteger();
        server.on("GET " + ROUTE + "/s1/events", request -> {
                    assertThat(request.headers()).containsEntry("accept", "text/event-stream");
                    return stream(
                            streams.incrementAndGet() == 1
                                    ? ": hello\nevent: snapshot\ndata: {\"calls\":[],\ndata: \"jobs\":[]}\n\nevent: notice\ndata: {}\n\nevent: cut"
                                    : "event: job_end\nid: 7\ndata: {\"job\":\"j1\"}\n\n");
                })
                .on(
                        "GET " + ROUTE + "/s1",
                        request -> Answer.json(200, "{\"state\":\"" + (streams.get() < 2 ? "open" : "ended") + "\"}"));

        assertThat(berth.run("session", "events", "s1", "--json")).isZero();

        assertThat(berth.out())
                .isEqualTo("{\"event\":\"snapshot\",\"data\":{\"calls\":[],\"jobs\":[]}}\n"
                        + "{\"event\":\"notice\",\"data\":{}}\n"
                        + "{\"event\":\"job_end\",\"data\":{\"job\":\"j1\"}}\n");
        assertThat(berth.err()).isEmpty();
    }

    @Test
    void events_for_people_are_one_line_each() {
        server.on("GET " + ROUTE + "/s1/events", request -> stream("event: notice\ndata: {\"text\":\"x\"}\n\n"))
                .on("GET " + ROUTE + "/s1", 200, "{\"state\":\"ended\"}");

        assertThat(berth.run("session", "events", "s1")).isZero();

        assertThat(berth.out()).isEqualTo("notice  {\"text\":\"x\"}\n");
        assertThat(berth.err()).contains("the session has ended");
    }

    @Test
    void a_refused_stream_is_1_as_any_refusal() {
        assertThat(berth.run("session", "events", "s1")).isEqualTo(1);
        assertThat(berth.err()).contains("(NOT_FOUND)");
    }

    @Test
    void without_a_server_a_session_command_is_3() {
        URI gone = server.url();
        server.close();

        assertThat(new Invocation(gone).run("session", "list")).isEqualTo(3);
    }

    @Test
    void the_completion_script_knows_sessions() {
        assertThat(berth.run("completion")).isZero();
        assertThat(berth.out()).contains("session", "--no-truncation", "--no-wait", "navigate");
    }

    private static Answer stream(String text) {
        return new Answer(200, Map.of("Content-Type", "text/event-stream"), text.getBytes(StandardCharsets.UTF_8));
    }
}
