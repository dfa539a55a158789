package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rigs from their files, their nodes and seats, and the generations of a seat. */
class RigIT {
    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();
    private final Team team = new Team(api);

    @Test
    void aRigFileBecomesNodesWithSeats() {
        Answer made = team.create().expect(201);
        assertThat(made.text("name")).isEqualTo(team.name());
        List<Map<String, Object>> nodes = Json.objects(made.json(), "nodes");
        assertThat(nodes)
                .extracting(node -> node.get("memberId") + " " + node.get("seat") + " " + node.get("runtime"))
                .containsExactly(
                        "crew.coordinator " + team.seat("crew-coordinator") + " claude-code",
                        "crew.worker " + team.seat("crew-worker") + " openshell-claude");
        assertThat(team.create().expect(200).json()).isEqualTo(made.json());
        team.yaml(team.file().replace("cwd: .", "cwd: elsewhere")).expectProblem(409, "rig_exists");

        Answer shown = api.get("/api/rigs/" + made.text("rigId")).expect(200);
        assertThat(shown.text("spec", "version")).isEqualTo("0.2");
        Answer listed = api.get("/api/rigs?limit=500").expect(200);
        assertThat(Json.objects(listed.json(), "rigs"))
                .extracting(rig -> rig.get("name"))
                .contains(team.name());
        assertThat(Json.objects(
                        api.get("/api/rigs/" + made.text("rigId") + "/nodes")
                                .expect(200)
                                .json(),
                        "nodes"))
                .allSatisfy(node -> assertThat((String) node.get("cwd"))
                        .isEqualTo(server.home()
                                .resolve("rigs")
                                .resolve(team.name())
                                .toString()));
    }

    @Test
    void theSameFileAsJsonIsTheSameRig() {
        Map<String, Object> file = Map.of(
                "version", "0.2",
                "name", team.name(),
                "pods",
                        List.of(Map.of(
                                "id",
                                "crew",
                                "members",
                                List.of(Map.of("id", "worker", "agent_ref", "local:a/b", "runtime", "command")))));
        String rigId = api.post("/api/rigs?root=/srv/team", file).expect(201).text("rigId");
        assertThat(api.get("/api/seats/" + team.seat("crew-worker")).expect(200).json())
                .containsEntry("cwd", "/srv/team")
                .containsEntry("profile", "default")
                .containsEntry("generation", null);
        team.yaml("""
                        version: "0.2"
                        name: %s
                        pods: [{id: crew, members: [{id: worker, agent_ref: "local:a/b", runtime: command}]}]
                        """.formatted(team.name())).expectProblem(409, "rig_exists");
        api.raw("DELETE", "/api/rigs/" + rigId, null, new byte[0]).expect(200);
        api.get("/api/rigs/" + rigId).expectProblem(404, "rig_missing");
        api.get("/api/seats/" + team.seat("crew-worker")).expectProblem(404, "seat_missing");
        api.raw("DELETE", "/api/rigs/" + rigId, null, new byte[0]).expectProblem(404, "rig_missing");
    }

    @Test
    void reservingAGenerationMakesNothingStale() {
        team.create().expect(201);
        String path = "/api/seats/" + team.seat("crew-worker") + "/generations";
        String own = "generation-" + UUID.randomUUID();
        assertThat(api.post(path, Map.of("generation", own)).expect(201).json())
                .containsEntry("generation", own)
                .containsEntry("state", "pending");
        api.post(path, Map.of("generation", own)).expect(200);
        String made = api.post(path).expect(201).text("generation");
        assertThat(made).isNotEqualTo(own);
        Answer seat = api.get("/api/seats/" + team.seat("crew-worker")).expect(200);
        assertThat(seat.at("generation")).isNull();
        assertThat(Json.objects(seat.json(), "generations"))
                .extracting(each -> each.get("generation") + " " + each.get("state"))
                .containsExactly(made + " pending", own + " pending");

        api.post(path, Map.of("generation", "a b")).expectProblem(400, "invalid_environment_request");
        api.post(path, Map.of("generation", 1)).expectProblem(400, "INVALID");
        api.post(path, Map.of("other", "x")).expectProblem(400, "INVALID");
        api.post("/api/seats/nobody@" + team.name() + "/generations").expectProblem(404, "seat_missing");
    }

    @Test
    void aSeatSeesItsOwnRigAndReservesForItselfOnly() {
        String rigId = team.create().expect(201).text("rigId");
        Api worker = team.as(team.seat("crew-worker"));
        worker.get("/api/rigs/" + rigId).expect(200);
        worker.post("/api/seats/" + team.seat("crew-worker") + "/generations").expect(201);
        worker.post("/api/seats/" + team.seat("crew-coordinator") + "/generations")
                .expectProblem(403, "FORBIDDEN");
        worker.raw("DELETE", "/api/rigs/" + rigId, null, new byte[0]).expectProblem(403, "FORBIDDEN");
        worker.raw("POST", "/api/rigs", "application/yaml", team.file().getBytes(StandardCharsets.UTF_8))
                .expectProblem(403, "FORBIDDEN");

        Team foreign = new Team(api);
        Api stranger = foreign.as(foreign.seat("crew-worker"));
        stranger.get("/api/rigs/" + rigId).expectProblem(404, "rig_missing");
        stranger.get("/api/seats/" + team.seat("crew-worker")).expectProblem(404, "seat_missing");
        assertThat(Json.objects(stranger.get("/api/rigs").expect(200).json(), "rigs"))
                .isEmpty();
    }

    static Stream<Arguments> wrongFiles() {
        return Stream.of(
                Arguments.of("version: \"0.2\"", "version: \"0.3\"", "version must be"),
                Arguments.of("version: \"0.2\"", "version: 0.2", "version must be text"),
                Arguments.of("edges:", "colour: red\nedges:", "colour is not a known key"),
                Arguments.of("runtime: claude-code", "runtime: Claude Code", "runtime must be"),
                Arguments.of("id: worker", "id: wor.ker", "id must be"),
                Arguments.of("id: worker", "id: coordinator", "is given twice"),
                Arguments.of("agent_ref: local:agents/worker", "agent_ref: \"\"", "agent_ref must be"),
                Arguments.of("      - id: worker\n", "      - nick: worker\n", "nick is not a known key"),
                Arguments.of("to: crew.worker", "to: crew.nobody", "must name a member"),
                Arguments.of("to: crew.worker", "to: crew.coordinator", "must join two members"),
                Arguments.of("kind: delegates_to", "kind: [a]", "kind must be text"),
                Arguments.of("cwd: .", "cwd: \"\"", "cwd must be"),
                Arguments.of("pods:", "pods: []\nother:", "other is not a known key"),
                Arguments.of("edges:", "edges: {", "line"));
    }

    @ParameterizedTest
    @MethodSource("wrongFiles")
    void aWrongFileIsRefusedWithItsLine(String right, String wrong, String sentence) {
        assertThat(team.yaml(team.file().replaceFirst(java.util.regex.Pattern.quote(right), wrong))
                        .expectProblem(400, "rig_file_invalid")
                        .text("error"))
                .contains("line ", sentence);
    }

    @Test
    void aBodyThatIsNoRigFileIsRefused() {
        byte[] file = team.file().getBytes(StandardCharsets.UTF_8);
        api.raw("POST", "/api/rigs", "text/plain", file).expectProblem(415, "UNSUPPORTED_MEDIA_TYPE");
        api.raw("POST", "/api/rigs", "application/json", file).expectProblem(400, "rig_file_invalid");
        api.raw("POST", "/api/rigs", "application/yaml", new byte[0]).expectProblem(400, "rig_file_invalid");
        api.raw("POST", "/api/rigs", "application/yaml", new byte[] {(byte) 0xc3, 0x28})
                .expectProblem(400, "rig_file_invalid");
        api.raw("POST", "/api/rigs", "application/yaml", new byte[(1 << 20) + 1])
                .expectProblem(413, "TOO_LARGE");
        api.raw("POST", "/api/rigs?root=relative", "application/yaml", file).expectProblem(400, "INVALID");
        api.raw("POST", "/api/rigs", "application/json", "{\"a\":1,\"a\":2}".getBytes(StandardCharsets.UTF_8))
                .expectProblem(400, "rig_file_invalid");
    }
}
