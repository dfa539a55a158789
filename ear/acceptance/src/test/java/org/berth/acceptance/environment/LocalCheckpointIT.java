package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.berth.acceptance.agent.AgentPrograms;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A checkpoint of a history of one mebibyte in the embedded environment, with the stand-in agent. */
class LocalCheckpointIT {
    private static final int MIB = 1_048_576;
    private static final Duration TURN = Duration.ofSeconds(90);

    private static final String GUEST_HOST = "host.openshell.internal";

    private static BerthServer server;

    @BeforeAll
    static void start() {
        server = BerthServer.create("local-checkpoint").withGuestListener().start();
    }

    @AfterAll
    static void end() {
        server.close();
        // An environment outlives its server; the death of its namespace's init ends all of it.
        ProcessHandle.allProcesses()
                .filter(each -> commandLine(each.pid()).contains(server.home() + "/environments/"))
                .forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void a_history_of_one_mebibyte_is_kept_while_the_agent_goes_on() throws Exception {
        try (EnvironmentWorld world = new EnvironmentWorld(server)) {
            world.hostPolicy("providers: { plain: { environment: { ANTHROPIC_API_KEY: key-of-the-stand-in } } }\n");
            world.post("/api/environments/create", input(world)).expect(201);
            Map<String, Object> up = world.up();
            assertThat(up).as("%s", up).containsEntry("status", "up");
            String nativeId = (String) up.get("nativeId");
            Path history = history(nativeId);
            grow(history, nativeId);

            Duration[] took = new Duration[4];
            for (int i = 0; i < took.length; i++) {
                long begun = System.nanoTime();
                Answer taken = world.on(
                        "checkpoint", Map.of("operationId", world.id("cp" + i), "generation", up.get("generation")));
                took[i] = Duration.ofNanos(System.nanoTime() - begun);
                Map<String, Object> file =
                        Json.objects(taken.expect(200).json(), "files").getFirst();
                assertThat(file).containsEntry("bytes", (long) MIB);
                assertThat(Path.of((String) file.get("source"))).hasSameBinaryContentAs(history);
                System.err.println(
                        "checkpoint of 1 MiB on local, number " + (i + 1) + ": " + took[i].toMillis() + " ms");
            }

            Files.writeString(history, record(nativeId, 10), StandardOpenOption.APPEND);
            assertThat(world.on(
                                    "checkpoint",
                                    Map.of("operationId", world.id("over"), "generation", up.get("generation")))
                            .status())
                    .as("a history over one mebibyte")
                    .isEqualTo(409);
        }
    }

    private static Map<String, Object> input(EnvironmentWorld world) throws Exception {
        Path agent = world.root().resolve("agent");
        AgentPrograms.standIn(agent);
        server.give(agent);
        StringBuilder policy = new StringBuilder("version: 1\nnetwork_policies:\n");
        for (int port : new int[] {7781, 7782}) {
            policy.append("  port-")
                    .append(port)
                    .append(": { endpoints: [ { host: ")
                    .append(GUEST_HOST)
                    .append(", port: ")
                    .append(port + server.portOffset())
                    .append(", protocol: rest, access: read-write, enforcement: enforce } ],")
                    .append(" binaries: [ { path: /usr/local/bin/claude } ] }\n");
        }
        Map<String, Object> input = new LinkedHashMap<>(world.input(world.id("create-one")));
        Map<String, Object> placement = new LinkedHashMap<>(EnvironmentWorld.placement(input));
        placement.put("gateway", "local");
        placement.put("image", agent.toRealPath() + "@sha256:" + sha256(agent));
        placement.put("provider", "plain");
        placement.put("policy", world.file("local.yaml", policy.toString()).toString());
        input.put("placement", placement);
        input.put("guestBaseUrl", "http://" + GUEST_HOST + ":" + (7782 + server.portOffset()));
        return input;
    }

    /** The agent writes it in its first turn. */
    private static Path history(String nativeId) throws IOException {
        Path environments = server.home().resolve("environments");
        Path[] found = new Path[1];
        Await.until("the agent's turn is over", TURN, () -> {
            try (var files = Files.walk(environments)) {
                found[0] = files.filter(each -> each.endsWith(nativeId + ".jsonl"))
                        .findFirst()
                        .orElse(null);
            } catch (IOException | java.io.UncheckedIOException e) {
                // Directories come and go while it starts.
                return false;
            }
            return found[0] != null;
        });
        return found[0];
    }

    private static void grow(Path history, String nativeId) throws IOException {
        StringBuilder more = new StringBuilder();
        long missing = MIB - Files.size(history);
        int overhead = record(nativeId, 0).length();
        while (missing > 0) {
            int text = (int) Math.min(8192, missing - overhead);
            long after = missing - overhead - text;
            if (after > 0 && after < overhead) {
                text -= overhead;
            }
            more.append(record(nativeId, text));
            missing -= overhead + text;
        }
        Files.writeString(history, more, StandardOpenOption.APPEND);
        assertThat(Files.size(history)).isEqualTo(MIB);
    }

    private static String record(String nativeId, int characters) {
        return "{\"sessionId\":\"" + nativeId + "\",\"type\":\"user\",\"message\":{\"content\":\""
                + "x".repeat(characters) + "\"}}\n";
    }

    private static String sha256(Path file) throws Exception {
        return HexFormat.of()
                .formatHex(java.security.MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    private static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
