package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.StreamClient;
import org.berth.acceptance.podman.PodmanEngine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A worker in rootless Podman, from its create to its result, with what it cannot see and cannot reach.
 */
class PodmanIT {
    private static final Duration TURN = Duration.ofSeconds(90);
    private static final String GUEST_HOST = "host.openshell.internal";
    private static final String KEY = "canary-key-of-podman";

    private static BerthServer server;
    private static PodmanEngine engine;

    @BeforeAll
    static void start() throws Exception {
        server = BerthServer.create("podman").withGuestListener();
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
    void aContainedWorkerBringsItsResultHomeAndReachesNothingElse() throws Exception {
        EnvironmentWorld world = new EnvironmentWorld(server);
        world.hostPolicy("providers: { stand-in: { environment: { ANTHROPIC_API_KEY: " + KEY + " } } }\n");
        Map<String, Object> input = placed(world);
        Answer created = world.post("/api/environments/create", input).expect(201);
        assertThat(created.text("resource", "phase")).isEqualTo("Ready");
        String task = world.task();

        Map<String, Object> up = world.up();
        assertThat(up).as("%s", up).containsEntry("status", "up");
        Await.until("the result is home", TURN, () -> world.notes(task, "export-" + task) == 1);
        Path exported = world.root().resolve("exports/" + world.binding() + "/" + task + "-export-" + task + ".json");
        assertThat(exported).content().contains(task);
        Await.until(
                "the worker is idle",
                TURN,
                () -> "idle"
                        .equals(world.get("/api/activity/seats/" + world.seat())
                                .expect(200)
                                .text("state")));

        String live = world.get("/api/environments/" + world.binding() + "?live=true")
                .expect(200)
                .text();
        assertThat(live).contains("Processor time and memory are not bounded.").doesNotContain(KEY);
        String id = created.text("resource", "id");
        assertNothingOfTheHostIsSeen(world);
        try (StreamClient window = StreamClient.attach(server.api(), (String) up.get("viewer"))) {
            assertThat(reached(window, 1, 7782 + server.portOffset())).startsWith("connected");
            assertThat(reached(window, 2, 7433 + server.portOffset())).startsWith("refused");
            assertThat(reached(window, 3, server.managementPort())).startsWith("refused");
            engine.podman("stop", "-t", "1", "openshell-supervisor-" + id);
            window.input("after the cut\r".getBytes(StandardCharsets.UTF_8));
            screen(window, "heard: after the cut");
        }
        String refusals = world.get("/api/environments/" + world.binding() + "?live=true")
                .expect(200)
                .text();
        assertThat(refusals).contains("nothing is let out");
    }

    @Test
    void aVolumeThatIsLeftBehindKeepsTheDeletionUnconfirmed() throws Exception {
        EnvironmentWorld world = new EnvironmentWorld(server);
        Answer created = world.post("/api/environments/create", placed(world)).expect(201);
        String id = created.text("resource", "id");
        String volume = "openshell-control-" + id;
        assertThat(world.operation("inventory-" + id)).containsEntry("state", "confirmed");
        engine.podman(
                "run",
                "-d",
                "--name",
                "holds-" + id,
                "-v",
                volume + ":/held",
                "--entrypoint",
                "sleep",
                engine.image(),
                "600");

        Answer held = world.effect(world.id("delete"), "delete-owned", null).expect(200);
        assertThat(held.text("state")).as(held.text()).isNotEqualTo("confirmed");
        engine.podman("rm", "-f", "-t", "0", "holds-" + id);
        engine.podman(
                "volume", "rm", "-f", volume, "openshell-channel-" + id, "openshell-sandbox-" + id + "-workspace");
        engine.podman("volume", "create", volume);

        Answer left = world.effect(world.id("delete"), "delete-owned", null).expect(200);
        assertThat(left.text("state")).isEqualTo("unconfirmed");
        assertThat(left.at("remaining")).isEqualTo(Map.of("workload", false, "supervisor", false, "volumes", true));
        engine.podman("volume", "rm", volume);
        assertThat(world.effect(world.id("delete"), "delete-owned", null)
                        .expect(200)
                        .text("state"))
                .isEqualTo("confirmed");
        world.close();
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

    /** What is asked in the workload itself, as the agent's user. */
    private static void assertNothingOfTheHostIsSeen(EnvironmentWorld world) throws Exception {
        String workload = "openshell-sandbox-" + world.workspace() + ".worker-one";
        String seen = engine.podman(
                "exec",
                workload,
                "sh",
                "-c",
                "for p in " + server.home() + " " + world.root() + " " + engine.socket()
                        + " /root /home /run/user /etc/shadow; do ls -d $p 2>/dev/null; done;"
                        + " grep -E 'CapEff|NoNewPrivs' /proc/self/status; ls /sys/class/net");
        assertThat(seen).isEqualTo("CapEff:\t0000000000000000\nNoNewPrivs:\t1\nlo\n");
        assertThat(engine.podman("inspect", workload)).doesNotContain(KEY);
    }

    /** What the agent's {@code count}th attempt, at {@code port} of its loopback, gives. */
    private static String reached(StreamClient window, int count, int port) {
        window.input(("reach 127.0.0.1:" + port + "\r").getBytes(StandardCharsets.UTF_8));
        return Await.value(
                "attempt " + count,
                TURN,
                () -> {
                    String[] answers = window.text(StreamClient.TTY).split("reach: ", -1);
                    return answers.length > count && answers[count].contains("\n") ? answers[count] : "";
                },
                answer -> !answer.isEmpty());
    }

    private static void screen(StreamClient window, String text) {
        Await.until(
                text + " on the screen",
                TURN,
                () -> window.text(StreamClient.TTY).contains(text));
    }
}
