package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.berth.acceptance.StreamClient;
import org.berth.acceptance.podman.PodmanEngine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A conversation in rootless Podman: captured, its compute deleted with proof, made anew, and resumed exactly. */
class PodmanRestoreIT {
    private static final Duration TURN = Duration.ofSeconds(90);
    private static final String GUEST_HOST = "host.openshell.internal";
    private static final String TYPE = "community:openshell-claude";

    private static BerthServer server;
    private static PodmanEngine engine;

    @BeforeAll
    static void start() throws Exception {
        server = BerthServer.create("podman-restore").withGuestListener();
        engine = PodmanEngine.start(server);
        server.start();
    }

    @AfterAll
    static void end() throws Exception {
        server.close();
        if (engine != null) {
            engine.close();
        }
    }

    @Test
    void theConversationGoesOnAfterItsComputeWasDeletedAndRecreated() throws Exception {
        try (EnvironmentWorld world = new EnvironmentWorld(server)) {
            world.hostPolicy("providers: { stand-in: { environment: { ANTHROPIC_API_KEY: key } } }\n");
            Map<String, Object> input = placed(world);
            String first =
                    world.post("/api/environments/create", input).expect(201).text("resource", "id");
            Map<String, Object> up = world.up();
            assertThat(up).as("%s", up).containsEntry("status", "up");
            String generation = (String) up.get("generation");
            String nativeId = (String) up.get("nativeId");
            say((String) up.get("viewer"), "before the deletion");

            byte[] kept = checkpoint(world, "checkpoint", generation);
            assertThat(new String(kept, StandardCharsets.UTF_8)).contains("before the deletion");
            String snapshot = world.post("/api/rigs/" + world.rigId() + "/snapshots", Map.of())
                    .expect(201)
                    .text("id");
            effect(world, "stop-native", generation);
            effect(world, "delete-owned", generation);
            assertThat(engine.podman("ps", "-a", "--format", "{{.Names}}")).doesNotContain(first);
            assertThat(engine.podman("volume", "ls", "--format", "{{.Name}}")).doesNotContain(first);

            Map<String, Object> recreated = world.on("recreate", recreation(world, generation, nativeId, input))
                    .expect(200)
                    .json();
            assertThat(recreated)
                    .containsEntry("state", "confirmed")
                    .containsEntry("predecessorResourceId", first)
                    .containsEntry("nativeId", nativeId);
            assertThat(world.up()).containsEntry("code", "environment_exact_resume_required");
            Map<String, Object> row = Json.objects(
                            world.post("/api/snapshots/" + snapshot + "/restore", Map.of())
                                    .expect(200)
                                    .json(),
                            "nodes")
                    .getFirst();
            assertThat(row).as("%s", row).containsEntry("status", "resumed").containsEntry("nativeId", nativeId);
            say((String) row.get("viewer"), "after the restore");

            byte[] now = checkpoint(world, "checkpoint-two", (String) row.get("generation"));
            assertThat(Arrays.copyOf(now, kept.length)).isEqualTo(kept);
            assertThat(new String(now, StandardCharsets.UTF_8)).contains("go on", "after the restore");
        }
    }

    private static byte[] checkpoint(EnvironmentWorld world, String operation, String generation) throws Exception {
        Answer taken = world.on("checkpoint", Map.of("operationId", world.id(operation), "generation", generation));
        List<Map<String, Object>> files = Json.objects(taken.expect(200).json(), "files");
        return Files.readAllBytes(Path.of((String) files.getFirst().get("source")));
    }

    private static void say(String viewer, String text) {
        try (StreamClient window = StreamClient.attach(server.api(), viewer)) {
            window.input((text + "\r").getBytes(StandardCharsets.UTF_8));
            Await.until(
                    "the agent heard it",
                    TURN,
                    () -> window.text(StreamClient.TTY).contains("heard: " + text));
        }
    }

    private static void effect(EnvironmentWorld world, String effect, String generation) {
        Await.until(
                effect + " is confirmed",
                TURN,
                () -> world.on(
                                "effect",
                                Map.of("operationId", world.id(effect), "generation", generation, "effect", effect))
                        .expect(200)
                        .text("state")
                        .equals("confirmed"));
    }

    private static Map<String, Object> recreation(
            EnvironmentWorld world, String generation, String nativeId, Map<String, Object> input) {
        Map<String, Object> placement = new LinkedHashMap<>(EnvironmentWorld.placement(input));
        placement.put("name", "worker-two");
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("operationId", world.id("recreate"));
        body.put("generation", generation);
        body.put("checkpointId", world.id("checkpoint"));
        body.put("resumeType", TYPE);
        body.put("resumeToken", nativeId);
        body.put("placement", placement);
        return body;
    }

    private static Map<String, Object> placed(EnvironmentWorld world) throws Exception {
        StringBuilder policy = new StringBuilder("version: 1\nnetwork_policies:\n");
        for (int port : new int[] {7781, 7782}) {
            policy.append("  p")
                    .append(port)
                    .append(": { endpoints: [ { host: ")
                    .append(GUEST_HOST)
                    .append(", port: ")
                    .append(port + server.portOffset())
                    .append(", protocol: rest } ] }\n");
        }
        Map<String, Object> input = world.input(world.id("create-one"));
        input.put("guestBaseUrl", "http://" + GUEST_HOST + ":" + (7782 + server.portOffset()));
        Map<String, Object> placement = EnvironmentWorld.placement(input);
        placement.put("gateway", "podman:" + engine.socket());
        placement.put("image", engine.image());
        placement.put("provider", "stand-in");
        placement.put("policy", world.file("podman.yaml", policy.toString()).toString());
        return input;
    }
}
