package org.berth.acceptance.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.berth.acceptance.Proc;
import org.junit.jupiter.api.Test;

/** The tree of entries, and what a step back in it stops. Source: harness.md, S2: rewind. */
class SessionTreeIT {
    /** Jobs that start between one entry and the next. */
    private static final int JOBS_EACH = 5;

    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();

    @Test
    void entriesFormATreeWhoseHeadMoves() {
        Session session = Session.open(api, server.directory("tree"));
        String first = session.append("one");
        String second = session.append("two");
        assertThat(session.move("navigate", first).expect(200).json())
                .containsEntry("head", first)
                .containsEntry("stoppedJobs", List.of())
                .containsEntry("stoppingJobs", List.of());
        String third = session.append("three");
        assertThat(session.move("navigate", null).expect(200).at("head")).isNull();
        String root = session.append("another root");

        assertThat(session.entries())
                .extracting(entry -> entry.get("entryId"))
                .containsExactly(first, second, third, root);
        assertThat(session.entries()).extracting(entry -> entry.get("sequence")).containsExactly(1L, 2L, 3L, 4L);
        assertThat(session.entries())
                .extracting(entry -> entry.get("parent"))
                .containsExactly(null, first, first, null);
        assertThat(session.entries().get(2))
                .containsEntry("kind", "message")
                .containsEntry("body", Map.of("text", "three"));
        Answer page = api.get(session.path("/entries?after=1&limit=2")).expect(200);
        assertThat(page.at("head")).isEqualTo(root);
        assertThat(Json.objects(page.json(), "entries"))
                .extracting(entry -> entry.get("sequence"))
                .containsExactly(2L, 3L);
        assertThat(session.show().json()).containsEntry("head", root).containsEntry("entries", 4L);
    }

    @Test
    void aForkHasTheEntriesUpToThereAndGoesOnAlone() {
        Session session = Session.open(api, server.directory("tree"), "truncation", "off");
        String first = session.append("one");
        String second = session.append("two");

        Answer forked = session.move("fork", first).expect(200);
        Session fork = new Session(api, forked.text("session", "sessionId"));
        fork.append("elsewhere");

        assertThat(Json.at(forked.json(), "session", "truncation")).isEqualTo("off");
        assertThat(fork.entries()).extracting(entry -> entry.get("sequence")).containsExactly(1L, 2L);
        assertThat(fork.entries().getFirst()).containsEntry("entryId", first);
        assertThat(session.show().json()).containsEntry("head", second).containsEntry("entries", 2L);
        Session empty = new Session(api, session.move("fork", null).expect(200).text("session", "sessionId"));
        assertThat(empty.entries()).isEmpty();
        fork.end().expect(200);
        assertThat(session.show().at("state")).isEqualTo("open");
    }

    @Test
    void aStepBackStopsExactlyTheJobsThatStartedAfterTheEntry() {
        Session session = Session.open(api, server.directory("tree"));
        List<List<String>> jobs = new ArrayList<>();
        List<String> entries = new ArrayList<>();
        jobs.add(start(session));
        for (int i = 1; i <= 3; i++) {
            entries.add(session.append("entry " + i));
            jobs.add(start(session));
        }
        assertThat(session.running()).hasSize(4 * JOBS_EACH);

        assertStopped(session.move("navigate", entries.get(1)), jobs.get(2), jobs.get(3));
        assertThat(session.running()).containsExactlyElementsOf(both(jobs.get(0), jobs.get(1)));
        assertThat(session.show().at("head")).isEqualTo(entries.get(1));
        assertAlive(session, 2 * JOBS_EACH);

        assertStopped(session.move("fork", entries.get(0)), jobs.get(1));
        assertThat(session.running()).containsExactlyElementsOf(jobs.get(0));
        assertThat(session.show().at("head")).isEqualTo(entries.get(1));
        assertAlive(session, JOBS_EACH);

        assertStopped(session.move("navigate", null), jobs.get(0));
        assertAlive(session, 0);
    }

    private static List<String> start(Session session) {
        List<String> jobs = new ArrayList<>();
        for (int i = 0; i < JOBS_EACH; i++) {
            jobs.add(session.job("exec sleep 300"));
        }
        return jobs;
    }

    @SafeVarargs
    private static void assertStopped(Answer answer, List<String>... jobs) {
        List<Object> wanted = new ArrayList<>();
        for (List<String> each : jobs) {
            wanted.addAll(each);
        }
        answer.expect(200);
        assertThat(answer.at("stoppedJobs")).isEqualTo(wanted);
        assertThat(answer.at("stoppingJobs")).isEqualTo(List.of());
    }

    private static List<Object> both(List<String> one, List<String> other) {
        List<Object> all = new ArrayList<>(one);
        all.addAll(other);
        return all;
    }

    /** The session's processes are as many. */
    private static void assertAlive(Session session, int count) {
        Await.until(
                count + " processes of " + session.id(),
                () -> Proc.withEnvironment("BERTH_SESSION_ID=" + session.id()).size() == count);
    }

    @Test
    void anEntryThatIsNotThereMovesAndStopsNothing() {
        Session session = Session.open(api, server.directory("tree"));
        String entry = session.append("one");
        String job = session.job("sleep 300");
        session.move("navigate", "entry-nothing").expectProblem(404, "NOT_FOUND");
        session.move("fork", "entry-nothing").expectProblem(404, "NOT_FOUND");
        Session other = Session.open(api, server.directory("tree"));
        other.move("navigate", entry).expectProblem(404, "NOT_FOUND");

        assertThat(session.show().at("head")).isEqualTo(entry);
        assertThat(session.running()).containsExactly(job);
        session.cancel(job);
    }
}
