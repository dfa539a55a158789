package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What happens is told to clients, in one order, after it is stored. */
class EventsIT {
    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();
    private final Team team = new Team(api);

    /** A client that sees this team only, so that tests side by side do not disturb each other. */
    private EventClient listen(String query, String lastId) {
        return new EventClient(team.as(team.seat("crew-worker")), query, lastId);
    }

    @Test
    void aClientHearsOfRigsGenerationsAndWork() throws Exception {
        try (EventClient client = listen("", null)) {
            team.create().expect(201);
            api.post("/api/seats/" + team.seat("crew-worker") + "/generations").expect(201);
            String id = team.item();
            team.post(team.seat("worker"), "/api/queue/" + id + "/claim", Map.of())
                    .expect(200);
            team.update(team.seat("worker"), id, Map.of("state", "done", "closureReason", "no-follow-on"))
                    .expect(200);
            List<EventClient.Event> events = client.await(5);
            assertThat(events)
                    .extracting(EventClient.Event::type)
                    .containsExactly(
                            "rig.created", "generation.reserved", "queue.created", "queue.claimed", "queue.updated");
            assertThat(events.getLast().of("qitemId")).isEqualTo(id);
            assertThat(events.getLast().of("state")).isEqualTo("done");
            assertThat(events)
                    .extracting(event -> Long.parseLong(event.id()))
                    .isSorted()
                    .doesNotHaveDuplicates();
            assertThat(events.toString()).doesNotContain("Return the selected report");
        }
    }

    @Test
    void aClientResumesAfterTheLastEventItSaw() throws Exception {
        String first;
        try (EventClient client = listen("", null)) {
            team.item();
            first = client.await(1).getFirst().id();
        }
        String second = team.item();
        String third = team.item();
        try (EventClient client = listen("", first)) {
            assertThat(client.await(2)).extracting(event -> event.of("qitemId")).containsExactly(second, third);
        }
        try (EventClient client = listen("?lastEventId=" + first, null)) {
            client.await(2);
        }
    }

    @Test
    void typesAreChosenExactlyOrByTheirFirstWord() throws Exception {
        try (EventClient claims = listen("?type=queue.claimed", null);
                EventClient queue = listen("?type=queue.*,rig.deleted", null)) {
            team.create().expect(201);
            String id = team.item();
            team.post(team.seat("worker"), "/api/queue/" + id + "/claim", Map.of())
                    .expect(200);
            assertThat(queue.await(2))
                    .extracting(EventClient.Event::type)
                    .containsExactly("queue.created", "queue.claimed");
            assertThat(claims.await(1)).hasSize(1);
        }
    }

    @Test
    void everyCommittedEventReachesAClientOnceInOneOrder() throws Exception {
        int clients = 8;
        int each = 25;
        try (EventClient listener = listen("?type=queue.created", null);
                ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            List<Future<List<String>>> all = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                all.add(threads.submit(() -> {
                    List<String> mine = new ArrayList<>();
                    for (int i = 0; i < each; i++) {
                        mine.add(team.item());
                    }
                    return mine;
                }));
            }
            List<Object> created = new ArrayList<>();
            for (Future<List<String>> mine : all) {
                created.addAll(mine.get());
            }
            List<EventClient.Event> heard = listener.await(clients * each);
            assertThat(heard).extracting(event -> event.of("qitemId")).containsExactlyInAnyOrderElementsOf(created);
            assertThat(heard)
                    .extracting(event -> Long.parseLong(event.id()))
                    .isSorted()
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void aSeatHearsOfItsOwnRigOnly() throws Exception {
        Team foreign = new Team(api);
        try (EventClient mine = listen("", null);
                EventClient others = new EventClient(foreign.as(foreign.seat("w")), "", null)) {
            team.item();
            foreign.item();
            mine.await(1);
            others.await(1);
            assertThat(mine.events()).hasSize(1);
            assertThat(others.events()).hasSize(1);
            assertThat(others.events().getFirst().of("sourceSession")).isEqualTo(foreign.seat("coordinator"));
        }
    }

    @Test
    void aRevokedTokenEndsItsStream() throws Exception {
        Map<String, Object> wish = Map.of("name", "s", "owner_id", "owner", "seat", team.seat("worker"));
        Answer token = api.post("/api/tokens", wish).expect(201);
        try (EventClient client = new EventClient(api.with(token.text("token")), "", null)) {
            api.post("/api/tokens/" + token.text("token_id") + "/revoke").expect(200);
            Await.until("the stream ends", client::ended);
        }
    }

    @Test
    void aQuietStreamGivesSignsOfLife() throws Exception {
        try (EventClient client = listen("", null)) {
            int before = client.comments();
            Await.until("a comment comes", () -> client.comments() > before);
        }
    }

    @Test
    void aClientThatTakesNothingIsGivenUpAndDisturbsNobody() throws Exception {
        URI base = URI.create(api.base());
        try (Socket stuck = new Socket();
                EventClient quick = listen("?type=queue.noted", null)) {
            stuck.setReceiveBufferSize(4096);
            stuck.connect(new java.net.InetSocketAddress(base.getHost(), base.getPort()));
            stuck.getOutputStream()
                    .write(("GET /api/events HTTP/1.1\r\nHost: b\r\nAuthorization: Bearer " + api.token() + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String id = team.item();
            int notes = 0;
            while (notes < 300) {
                team.update(team.seat("worker"), id, Map.of("transitionNote", "note " + notes))
                        .expect(200);
                notes++;
            }
            assertThat(quick.await(notes)).hasSize(notes);
            InputStream in = stuck.getInputStream();
            assertThat(in.read()).isEqualTo('H');
        }
    }

    @Test
    void aWrongRequestIsRefused() {
        api.get("/api/events?type=Queue").expectProblem(400, "INVALID");
        api.get("/api/events?lastEventId=-1").expectProblem(400, "INVALID");
        api.with(null).get("/api/events").expectProblem(401, "UNAUTHENTICATED");
        api.post("/api/events").expectProblem(405, "METHOD_NOT_ALLOWED");
        Api owner = api.with(api.post("/api/tokens", Map.of("owner_id", "alice", "name", "alice"))
                .expect(201)
                .text("token"));
        owner.get("/api/events").expectProblem(403, "FORBIDDEN");
    }
}
