package org.berth.acceptance;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Rigs, seats and work as tests of several features need them: each team has a name of its own. */
final class Team {
    private final Api api;
    private final String name = "team-" + UUID.randomUUID().toString().substring(0, 8);

    Team(Api api) {
        this.api = api;
    }

    String name() {
        return name;
    }

    /** {@code member@rig}. */
    String seat(String member) {
        return member + "@" + name;
    }

    /** The reference's example rig under this team's name, two members: {@code crew.coordinator}, {@code crew.worker}. */
    String file() {
        return """
                version: "0.2"
                name: %s
                pods:
                  - id: crew
                    members:
                      - id: coordinator
                        agent_ref: local:agents/coordinator
                        runtime: claude-code
                        profile: default
                        cwd: .
                      - id: worker
                        agent_ref: local:agents/worker
                        runtime: openshell-claude
                        profile: default
                        cwd: .
                edges:
                  - kind: delegates_to
                    from: crew.coordinator
                    to: crew.worker
                """.formatted(name);
    }

    /** Stores the rig. */
    Answer create() {
        return yaml(file());
    }

    Answer yaml(String file) {
        return api.raw("POST", "/api/rigs", "application/yaml", file.getBytes(StandardCharsets.UTF_8));
    }

    /** The same server under a token of that seat. */
    Api as(String seat) {
        Map<String, Object> wish = Map.of("name", "seat", "owner_id", "owner", "seat", seat);
        return api.with(api.post("/api/tokens", wish).expect(201).text("token"));
    }

    /** As {@code session}, by the operator. */
    Answer post(String session, String path, Map<String, ?> body) {
        return api.postAs(session, path, body);
    }

    /** A body of {@code /api/queue/create}. */
    Map<String, Object> work(String id, String destination) {
        Map<String, Object> work = new LinkedHashMap<>();
        work.put("qitemId", id);
        work.put("destinationSession", destination);
        work.put("body", "Return the selected report");
        return work;
    }

    /** An open item from coordinator to worker. */
    String item() {
        String id = "task-" + UUID.randomUUID();
        post(seat("coordinator"), "/api/queue/create", work(id, seat("worker"))).expect(201);
        return id;
    }

    Answer update(String session, String id, Map<String, ?> body) {
        return post(session, "/api/queue/" + id + "/update", body);
    }

    List<Map<String, Object>> transitions(String id) {
        return Json.objects(
                api.get("/api/queue/" + id + "/transitions").expect(200).json(), "transitions");
    }
}
