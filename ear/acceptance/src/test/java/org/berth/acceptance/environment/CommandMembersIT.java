package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Members of a rig that are plain commands, and those that this version cannot start. */
class CommandMembersIT {
    private static final String AGENT = """
            name: builder
            version: "1.0"
            profiles:
              default:
                command:
                  executable: sh
                  argv: ["-c", "printf '%s %s %s %s\\n' \\"$PWD\\" \\"$OPENRIG_SESSION_NAME\\" \\"$OPENRIG_OCCUPANT_GENERATION\\" \\"$LEVEL\\" > started; exec sleep 300"]
                  environment: { LEVEL: "3" }
              silent: {}
            startup: { files: [ { path: role.md } ] }
            """;

    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();
    private EnvironmentWorld world;
    private String rigName;
    private String rigId;
    private String attempt;

    @BeforeEach
    void aRig() {
        world = new EnvironmentWorld(server);
        rigName = "commands-" + UUID.randomUUID().toString().substring(0, 8);
        world.file("commands/agents/builder/agent.yaml", AGENT);
        world.file("commands/agents/builder/role.md", "You build.\n");
        world.directory("commands/build");
        world.giveAll();
        rigId = create(rigName, "command", "default");
    }

    @AfterEach
    void putBack() {
        if (attempt != null) {
            end(attempt);
        }
        world.close();
    }

    private String create(String name, String runtime, String profile) {
        Map<String, Object> member = Map.of(
                "id", "builder",
                "agent_ref", "local:agents/builder",
                "runtime", runtime,
                "profile", profile,
                "cwd", "build");
        Map<String, Object> file = Map.of(
                "version", "0.2", "name", name, "pods", List.of(Map.of("id", "crew", "members", List.of(member))));
        return world.post("/api/rigs?root=" + world.root().resolve("commands"), file)
                .expect(201)
                .text("rigId");
    }

    private Map<String, Object> up(String rig) {
        Answer answer = world.post("/api/rigs/" + rig + "/up", Map.of()).expect(200);
        return Json.objects(answer.json(), "nodes").getFirst();
    }

    private void end(String id) {
        api.stop(id, "forced").expect(200);
        api.awaitExit(id);
        Await.until(id + " is cleaned up", () -> api.cleanUp(id).status() == 200);
    }

    @Test
    void aCommandRunsInItsMembersDirectoryOnceForEachGeneration() {
        Map<String, Object> first = up(rigId);
        assertThat(first).as("%s", first).containsEntry("status", "up").containsEntry("runtime", "command");
        attempt = (String) first.get("attemptId");
        Path directory = world.root().resolve("commands/build");
        Path started = directory.resolve("started");
        Await.until("the command has begun", () -> Files.exists(started) && Files.size(started) > 0);
        assertThat(BerthServer.read(started))
                .isEqualTo(directory + " crew-builder@" + rigName + " " + first.get("generation") + " 3\n");
        assertThat((List<?>) first.get("warnings")).hasSize(1);
        assertThat(api.attempt(attempt)).containsEntry("owner_id", "owner").containsEntry("execution_state", "running");
        Answer seat = api.get("/api/seats/crew-builder@" + rigName).expect(200);
        assertThat(seat.text("generation")).isEqualTo(first.get("generation"));

        assertThat(up(rigId)).as("again").isEqualTo(first);
        api.raw("DELETE", "/api/rigs/" + rigId, null, new byte[0]).expectProblem(409, "CONFLICT");

        end(attempt);
        Map<String, Object> second = up(rigId);
        attempt = (String) second.get("attemptId");
        assertThat(second).containsEntry("status", "up");
        assertThat(second.get("generation")).isNotEqualTo(first.get("generation"));
        assertThat(second.get("attemptId")).isNotEqualTo(first.get("attemptId"));
        end(attempt);
        attempt = null;
        api.raw("DELETE", "/api/rigs/" + rigId, null, new byte[0]).expect(200);
    }

    @Test
    void aSeatStartsAMemberOnlyInADirectoryThatAnOperatorHasGranted() {
        String token = api.post(
                        "/api/tokens", Map.of("name", "seat", "owner_id", "owner", "seat", "crew-builder@" + rigName))
                .expect(201)
                .text("token");
        Answer answer = api.with(token).post("/api/rigs/" + rigId + "/up").expect(200);
        Map<String, Object> row = Json.objects(answer.json(), "nodes").getFirst();
        assertThat(row).containsEntry("status", "attention_required").containsEntry("code", "DENIED");
        assertThat((String) row.get("error")).contains("granted");
        Map<String, Object> granted = up(rigId);
        attempt = (String) granted.get("attemptId");
        assertThat(granted).as("%s", granted).containsEntry("status", "up");
    }

    @Test
    void whatCannotBeStartedSaysWhy() {
        Map<String, Object> foreign = up(create(rigName + "-a", "claude-code", "default"));
        assertThat(foreign)
                .containsEntry("status", "attention_required")
                .containsEntry("code", "environment_launch_unsupported");
        assertThat((String) foreign.get("error")).contains("claude-code", "openshell-claude", "command");
        Map<String, Object> silent = up(create(rigName + "-b", "command", "silent"));
        assertThat(silent).containsEntry("status", "attention_required").containsEntry("code", "rig_file_invalid");
        assertThat((String) silent.get("error")).contains("command");
    }
}
