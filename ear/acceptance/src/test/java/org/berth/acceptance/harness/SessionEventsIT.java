package org.berth.acceptance.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.junit.jupiter.api.Test;

/** The events of a session: a snapshot, then every change, and nothing of a job after its end. */
class SessionEventsIT {
    private static final int SHORT_JOBS = 30;

    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();

    @Test
    void aSnapshotComesFirstAndThenEveryChange() throws Exception {
        Session session = Session.open(api, server.directory("events"));
        String before = session.job("echo before; sleep 300");
        Await.until(
                "output of " + before,
                () -> "before\n".equals(session.job(before, 200).get("output")));
        try (SessionEventClient events = new SessionEventClient(session)) {
            SessionEventClient.Event snapshot = events.events().getFirst();
            assertThat(snapshot.name()).isEqualTo("snapshot");
            assertThat(snapshot.data()).containsEntry("calls", List.of());
            assertThat(Json.objects(snapshot.data(), "jobs"))
                    .singleElement()
                    .satisfies(job -> assertThat(job)
                            .containsEntry("job", before)
                            .containsEntry("state", "running")
                            .containsEntry("output", "before\n"));

            String entry = session.append("told");
            String job = session.job("echo one; sleep 0.3; echo two; exit 9");
            List<SessionEventClient.Event> all = events.await("the end of " + job, event -> event.isOf("job_end", job));
            assertThat(all).anySatisfy(event -> {
                assertThat(event.name()).isEqualTo("entry");
                assertThat(event.data())
                        .containsEntry("entryId", entry)
                        .containsEntry("sequence", 1L)
                        .containsEntry("body", Map.of("text", "told"));
            });
            assertJob(all, job, "one\ntwo\n");
            assertThat(all.getLast().data()).containsEntry("exitCode", 9L).containsEntry("state", "exited");

            session.cancel(before);
            assertThat(events.await("the end of " + before, event -> event.isOf("job_end", before))
                            .getLast()
                            .data())
                    .containsEntry("killed", true);
        }
    }

    @Test
    void nothingOfAJobComesAfterItsEnd() throws Exception {
        Session session = Session.open(api, server.directory("events"));
        try (SessionEventClient one = new SessionEventClient(session);
                SessionEventClient other = new SessionEventClient(session)) {
            List<String> jobs = new ArrayList<>();
            for (int i = 0; i < SHORT_JOBS; i++) {
                jobs.add(session.job("seq 200"));
            }
            String output = session.bash("seq 200").text("output");
            session.append("the last");
            for (SessionEventClient client : List.of(one, other)) {
                jobs.forEach(job -> client.await("the end of " + job, event -> event.isOf("job_end", job)));
                List<SessionEventClient.Event> all =
                        client.await("the entry", event -> event.name().equals("entry"));
                jobs.forEach(job -> assertJob(all, job, output));
            }
            assertThat(one.events()).isEqualTo(other.events());
        }
    }

    /** Of {@code job} there is one start, then its output, then one end. */
    private static void assertJob(List<SessionEventClient.Event> all, String job, String output) {
        List<SessionEventClient.Event> of = all.stream()
                .filter(event -> job.equals(event.data().get("job")))
                .toList();
        assertThat(of.getFirst().name()).isEqualTo("job_start");
        assertThat(of.getLast().name()).isEqualTo("job_end");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (SessionEventClient.Event event : of.subList(1, of.size() - 1)) {
            assertThat(event.name()).isEqualTo("job_output");
            bytes.writeBytes(Base64.getDecoder().decode((String) event.data().get("outputBase64")));
        }
        assertThat(bytes).hasToString(output);
    }
}
