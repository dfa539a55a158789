package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Work between seats, and who may do what to it. */
class QueueIT {
    private static final String CREATE = "/api/queue/create";

    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();
    private final Team team = new Team(api);

    @Test
    void workIsCreatedOnceAndARepeatIsTheSame() {
        Map<String, Object> work = team.work("task-" + UUID.randomUUID(), team.seat("worker"));
        work.put("priority", "urgent");
        work.put("tags", List.of("report", "phase:1"));
        Answer created = team.post(team.seat("coordinator"), CREATE, work).expect(201);
        assertThat(created.json())
                .containsEntry("sourceSession", team.seat("coordinator"))
                .containsEntry("destinationSession", team.seat("worker"))
                .containsEntry("state", "pending")
                .containsEntry("priority", "urgent")
                .containsEntry("tags", List.of("report", "phase:1"))
                .containsEntry("closureReason", null);

        assertThat(team.post(team.seat("coordinator"), CREATE, work).expect(200).json())
                .isEqualTo(created.json());
        work.put("body", "Something else");
        team.post(team.seat("coordinator"), CREATE, work).expectProblem(409, "work_item_exists");
        work.put("body", "Return the selected report");
        team.post(team.seat("other"), CREATE, work).expectProblem(409, "work_item_exists");
    }

    @Test
    void workIsClaimedDoneAndItsHistoryTellsWho() {
        String id = team.item();
        assertThat(team.post(team.seat("worker"), "/api/queue/" + id + "/claim", Map.of())
                        .expect(200)
                        .json())
                .containsEntry("state", "in-progress")
                .containsEntry("claimedBy", team.seat("worker"));
        team.post(team.seat("worker"), "/api/queue/" + id + "/claim", Map.of()).expect(200);
        team.update(team.seat("worker"), id, Map.of("state", "done")).expectProblem(400, "work_closure_required");
        assertThat(team.update(
                                team.seat("worker"),
                                id,
                                Map.of(
                                        "state", "done",
                                        "closureReason", "no-follow-on",
                                        "transitionNote", "Verified result complete"))
                        .expect(200)
                        .json())
                .containsEntry("state", "done")
                .containsEntry("closureReason", "no-follow-on");

        List<Map<String, Object>> history = team.transitions(id);
        assertThat(history).extracting(row -> row.get("action")).containsExactly("create", "claim", "update");
        assertThat(history.getLast())
                .containsEntry("fromState", "in-progress")
                .containsEntry("state", "done")
                .containsEntry("actorSession", team.seat("worker"))
                .containsEntry("identityProvenance", "transport:v1")
                .containsEntry("identityPrincipal", null)
                .containsEntry("transitionNote", "Verified result complete");
    }

    @Test
    void anotherSeatsNoteNeitherClosesNorReopens() {
        String id = team.item();
        String observer = team.seat("observer");
        team.update(observer, id, Map.of("state", "done", "closureReason", "no-follow-on"))
                .expectProblem(403, "work_owner_mismatch");
        team.update(team.seat("worker"), id, Map.of("state", "done", "closureReason", "no-follow-on"))
                .expect(200);

        assertThat(team.update(observer, id, Map.of("transitionNote", "Result noted"))
                        .expect(200)
                        .text("state"))
                .isEqualTo("done");
        assertThat(team.update(observer, id, Map.of("state", "done", "transitionNote", "Noted again"))
                        .expect(200)
                        .text("state"))
                .isEqualTo("done");
        team.update(observer, id, Map.of("state", "pending")).expectProblem(409, "work_transition_refused");
        team.update(observer, id, Map.of("reopen", true)).expectProblem(403, "work_owner_mismatch");
        assertThat(team.transitions(id))
                .extracting(row -> row.get("state"))
                .containsExactly("pending", "done", "done", "done");
    }

    @Test
    void closedWorkOpensAgainOnRequestOnly() {
        String id = team.item();
        team.update(team.seat("coordinator"), id, Map.of("state", "canceled")).expect(200);
        team.update(team.seat("worker"), id, Map.of("state", "in-progress"))
                .expectProblem(409, "work_transition_refused");
        assertThat(team.update(team.seat("coordinator"), id, Map.of("reopen", true))
                        .expect(200)
                        .json())
                .containsEntry("state", "pending")
                .containsEntry("closureReason", null)
                .containsEntry("closedAt", null);
        team.update(team.seat("worker"), id, Map.of("reopen", true)).expectProblem(409, "work_transition_refused");
    }

    @Test
    void workIsHandedOffInOneStep() {
        String id = team.item();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("qitemId", "next-" + UUID.randomUUID());
        body.put("destinationSession", team.seat("second"));
        body.put("transitionNote", "Yours");
        String path = "/api/queue/" + id + "/handoff";
        team.post(team.seat("coordinator"), path, body).expectProblem(403, "work_owner_mismatch");
        Answer done = team.post(team.seat("worker"), path, body).expect(201);
        assertThat(done.text("item", "state")).isEqualTo("handed-off");
        assertThat(done.text("item", "closureTarget")).isEqualTo(team.seat("second"));
        assertThat(done.text("successor", "handedOffFrom")).isEqualTo(id);
        assertThat(done.text("successor", "sourceSession")).isEqualTo(team.seat("worker"));
        assertThat(done.text("successor", "body")).isEqualTo("Return the selected report");
        assertThat(team.post(team.seat("worker"), path, body).expect(200).json())
                .isEqualTo(done.json());
        body.remove("qitemId");
        team.post(team.seat("worker"), path, body).expectProblem(409, "work_transition_refused");
    }

    @Test
    void aSeatsTokenActsUnderItsOwnSeatAndProvesIt() {
        String id = team.item();
        Api worker = team.as(team.seat("worker"));
        Api second = team.as(team.seat("second"));
        assertThat(worker.get("/api/whoami").expect(200).json())
                .containsEntry("seat", team.seat("worker"))
                .containsEntry("roles", List.of("seat"));

        String claim = "/api/queue/" + id + "/claim";
        worker.postAs(team.seat("second"), claim, Map.of()).expectProblem(403, "FORBIDDEN");
        second.postAs(null, claim, Map.of()).expectProblem(403, "work_owner_mismatch");
        HttpRequest forged = worker.request(claim)
                .header("Content-Type", "application/json")
                .header("X-OpenRig-Principal", "{\"source\":\"file\",\"id\":\"forged\"}")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        Api.send(forged).expect(200);

        Map<String, Object> last = team.transitions(id).getLast();
        assertThat(last)
                .containsEntry("actorSession", team.seat("worker"))
                .containsEntry("identityProvenance", "principal:v1");
        assertThat((String) last.get("identityPrincipal")).matches("\\{\"source\":\"token\",\"id\":\"[0-9a-f]{16}\"}");
    }

    @Test
    void aSeatsTokenReachesNeitherOtherRigsNorAttempts() {
        String id = team.item();
        Team foreign = new Team(api);
        Api stranger = foreign.as(foreign.seat("worker"));
        stranger.get("/api/queue/" + id).expectProblem(404, "work_item_missing");
        stranger.get("/api/queue/" + id + "/transitions").expectProblem(404, "work_item_missing");
        stranger.postAs(null, "/api/queue/" + id + "/claim", Map.of()).expectProblem(404, "work_item_missing");
        assertThat(Json.objects(
                        stranger.get("/api/queue/list?rig=" + team.name())
                                .expect(200)
                                .json(),
                        "items"))
                .isEmpty();
        for (String path : List.of(Api.ATTEMPTS, "/api/tokens", "/api/placement/host", "/api/placement/grants")) {
            stranger.get(path).expectProblem(403, "FORBIDDEN");
        }
        stranger.postAs(null, "/api/tokens", Map.of("owner_id", "owner", "name", "more"))
                .expectProblem(403, "FORBIDDEN");
    }

    @Test
    void anOwnersTokenHasNoPartInWork() {
        Api owner = api.with(api.post("/api/tokens", Map.of("owner_id", "alice", "name", "alice"))
                .expect(201)
                .text("token"));
        owner.get("/api/queue/list").expectProblem(403, "FORBIDDEN");
        owner.postAs(team.seat("worker"), CREATE, team.work("x", team.seat("worker")))
                .expectProblem(403, "FORBIDDEN");
        api.with(null).get("/api/queue/list").expectProblem(401, "UNAUTHENTICATED");
    }

    @Test
    void aWriterNamesItsSeat() {
        String id = team.item();
        for (String path : List.of(
                CREATE,
                "/api/queue/" + id + "/claim",
                "/api/queue/" + id + "/unclaim",
                "/api/queue/" + id + "/update",
                "/api/queue/" + id + "/handoff")) {
            team.post(null, path, Map.of()).expectProblem(400, "sender_identity_required");
        }
        Map<String, Object> work = team.work("x", team.seat("worker"));
        work.put("sourceSession", team.seat("other"));
        team.post(team.seat("coordinator"), CREATE, work).expectProblem(403, "FORBIDDEN");
    }

    @Test
    void pagesShowEveryItemOnceNewestFirst() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            ids.addFirst(team.item());
        }
        team.update(team.seat("worker"), ids.getFirst(), Map.of("state", "failed"))
                .expect(200);
        List<String> seen = new ArrayList<>();
        String after = "";
        while (after != null) {
            Answer page = api.get("/api/queue/list?limit=3&rig=" + team.name() + after)
                    .expect(200);
            Json.objects(page.json(), "items").forEach(item -> seen.add((String) item.get("qitemId")));
            after = page.at("next") == null ? null : "&after=" + page.text("next");
        }
        assertThat(seen).isEqualTo(ids);
        assertThat(listed("destinationSession=" + team.seat("worker") + "&open=true"))
                .hasSize(6);
        assertThat(listed("sourceSession=" + team.seat("coordinator") + "&state=failed"))
                .containsExactly(ids.getFirst());
        assertThat(listed("session=" + team.seat("worker") + "&priority=critical"))
                .isEmpty();
    }

    private List<Object> listed(String query) {
        return Json.objects(api.get("/api/queue/list?" + query).expect(200).json(), "items").stream()
                .map(item -> item.get("qitemId"))
                .toList();
    }

    static Stream<Arguments> badBodies() {
        return Stream.of(
                Arguments.of("qitemId", "-x"),
                Arguments.of("qitemId", 7),
                Arguments.of("destinationSession", "worker"),
                Arguments.of("destinationSession", "a@b@c"),
                Arguments.of("destinationSession", "w@" + "r".repeat(320)),
                Arguments.of("sourceSession", "a b@c"),
                Arguments.of("body", " "),
                Arguments.of("body", "x".repeat(65_537)),
                Arguments.of("body", "a\u0000b"),
                Arguments.of("priority", "high"),
                Arguments.of("tags", "report"),
                Arguments.of("tags", List.of("a,b")),
                Arguments.of("tags", List.of("a", "a")),
                Arguments.of("nudge", "yes"),
                Arguments.of("state", "done"));
    }

    @ParameterizedTest
    @MethodSource("badBodies")
    void aWrongFieldIsRefusedByName(String field, Object value) {
        Map<String, Object> work = team.work("bad-" + UUID.randomUUID(), team.seat("worker"));
        work.put(field, value);
        assertThat(team.post(team.seat("coordinator"), CREATE, work)
                        .expectProblem(400, "INVALID")
                        .text("error"))
                .contains(field);
        assertThat(listed("rig=" + team.name())).isEmpty();
    }

    @Test
    void aWrongUpdateIsRefusedByName() {
        String id = team.item();
        Map<String, Map<String, ?>> wrong = Map.of(
                "state", Map.of("state", "finished"),
                "closureReason", Map.of("state", "done", "closureReason", "none"),
                "closureTarget", Map.of("state", "done", "closureReason", "escalation", "closureTarget", ""),
                "transitionNote", Map.of("transitionNote", "x".repeat(16_385)),
                "reopen", Map.of("reopen", 1),
                "other", Map.of("other", true));
        wrong.forEach((field, body) -> assertThat(team.update(team.seat("worker"), id, body)
                        .expectProblem(400, "INVALID")
                        .text("error"))
                .contains(field));
        team.update(team.seat("worker"), id, Map.of()).expectProblem(400, "INVALID");
        team.update(team.seat("worker"), id, Map.of("closureReason", "denied")).expectProblem(400, "INVALID");
        team.update(team.seat("worker"), id, Map.of("state", "done", "closureReason", "blocked_on"))
                .expectProblem(400, "work_closure_required");
        team.update(team.seat("worker"), "missing", Map.of("state", "failed")).expectProblem(404, "work_item_missing");
        assertThat(team.transitions(id)).hasSize(1);
    }

    @Test
    void manyClientsCreateAtOnceAndNothingIsLostOrDoubled() throws Exception {
        int clients = 16;
        int each = 40;
        Set<String> ids = new HashSet<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
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
            for (Future<List<String>> mine : all) {
                ids.addAll(mine.get());
            }
        }
        assertThat(ids).hasSize(clients * each);
        Set<Object> stored = new HashSet<>();
        String after = "";
        while (after != null) {
            Answer page = api.get("/api/queue/list?limit=500&rig=" + team.name() + after)
                    .expect(200);
            Json.objects(page.json(), "items").forEach(item -> stored.add(item.get("qitemId")));
            after = page.at("next") == null ? null : "&after=" + page.text("next");
        }
        assertThat(stored).isEqualTo(ids);
    }

    @Test
    void oneOfManyEqualClaimsIsRecorded() throws Exception {
        String id = team.item();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<Answer>> claims = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                claims.add(
                        threads.submit(() -> team.post(team.seat("worker"), "/api/queue/" + id + "/claim", Map.of())));
            }
            for (Future<Answer> claim : claims) {
                claim.get().expect(200);
            }
        }
        assertThat(team.transitions(id)).hasSize(2);
    }
}
