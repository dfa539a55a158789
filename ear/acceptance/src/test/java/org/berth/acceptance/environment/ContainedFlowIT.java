package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.FaultPauses;
import org.berth.fault.FaultPoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A worker on OpenShell's double, from its create to its result, and the same with the server killed at every fault
 * point of environments: never a second sandbox, a second native or a second receipt.
 */
class ContainedFlowIT {
    private static final Duration TURN = Duration.ofSeconds(60);

    /** What waits together for one death of the server. */
    private static final int TOGETHER = 6;

    private static BerthServer server;
    private static FaultPauses pauses;
    private final List<EnvironmentWorld> worlds = new ArrayList<>();

    @BeforeAll
    static void create() {
        server = BerthServer.create("contained-flow").withGuestListener();
        pauses = new FaultPauses(server);
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @AfterEach
    void endNatives() {
        worlds.forEach(EnvironmentWorld::close);
    }

    @Test
    void aWorkerReportsWhatItDoesAndBringsItsResultHome() {
        if (!server.runs()) {
            server.javaOptions().start();
        }
        EnvironmentWorld world = world();
        world.create().expect(201);
        String task = world.task();

        Map<String, Object> up = world.up();
        assertThat(up).as("%s", up).containsEntry("status", "up");

        Await.until("the result is home", TURN, () -> world.notes(task, "export-" + task) == 1);
        assertThat(world.root().resolve("exports/" + world.binding() + "/" + task + "-export-" + task + ".json"))
                .content()
                .contains(task);
        Await.until(
                "the worker is idle",
                TURN,
                () -> "idle"
                        .equals(world.get("/api/activity/seats/" + world.seat())
                                .expect(200)
                                .text("state")));
        assertThat(world.tree().resolve("work/CLAUDE.md"))
                .content()
                .contains("Read /sandbox/openrig/work/.openrig/startup/role.md.");
        assertThat(world.tree().resolve("work/.claude/plugins/openrig-core/hooks/hooks.json"))
                .content()
                .contains(server.guestUrl() + "/api/activity/hooks");
        Answer again =
                world.post("/api/rigs/" + world.rigId() + "/up", Map.of()).expect(200);
        assertThat(again.text()).contains((String) up.get("nativeId"));
        oneNative(world);
        world.project(world.id("p2"), "generation-two", List.of())
                .expectProblem(409, "environment_prior_execution_unconfirmed");
    }

    /** What a point's death is followed by: the world's look under the next boot. */
    private record Dead(FaultPoint point, EnvironmentWorld world, Runnable look) {}

    @Test
    void aKilledServerLeavesOneSandboxOneNativeAndOneReceiptAtEveryPoint() throws Exception {
        List<FaultPoint> points = List.copyOf(EnumSet.range(FaultPoint.CREATE_INTENT, FaultPoint.LAUNCH_RECORDED));
        List<Dead> dead = new ArrayList<>();
        for (int from = 0; from < points.size(); from += TOGETHER) {
            reboot(pauses.option());
            for (FaultPoint point : points.subList(from, Math.min(points.size(), from + TOGETHER))) {
                dead.add(held(point));
            }
            pauses.kill();
        }
        reboot();
        for (Dead each : dead) {
            each.world().select();
            each.look().run();
        }
    }

    /** An operation that waits at {@code point} for the server's death. */
    private Dead held(FaultPoint point) throws Exception {
        EnvironmentWorld world = world();
        String name = point.name();
        if (name.startsWith("CREATE")) {
            pauses.hold(point, world::create);
            return new Dead(point, world, () -> createdOnce(point, world));
        }
        world.create().expect(201);
        if (name.startsWith("LAUNCH")) {
            pauses.hold(point, () -> world.post("/api/rigs/" + world.rigId() + "/up", Map.of()));
            return new Dead(point, world, () -> {
                Map<String, Object> up = world.up();
                assertThat(up).as("after %s: %s", point, up).containsEntry("status", "up");
                oneNative(world);
            });
        }
        Path role = world.root().resolve("agents/worker/role.md");
        List<Map<String, Object>> files =
                List.of(EnvironmentWorld.projected(role, "work/role.md", Files.readString(role)));
        if (name.startsWith("PROJECT")) {
            pauses.hold(point, () -> world.project(world.id("p"), "generation-one", files));
            return new Dead(point, world, () -> {
                world.project(world.id("p"), "generation-one", files).expect(200);
                world.on("validate", Map.of("generation", "generation-one")).expect(200);
            });
        }
        String task = world.task();
        world.project(world.id("p"), "generation-one", files).expect(200);
        Map<String, Object> request = exportOf(world, task);
        pauses.hold(point, () -> world.on("export", request));
        return new Dead(point, world, () -> {
            world.on("export", request).expect(200);
            assertThat(world.notes(task, world.id("export-one"))).isEqualTo(1);
        });
    }

    private static void createdOnce(FaultPoint point, EnvironmentWorld world) {
        Answer again = world.create();
        if (point == FaultPoint.CREATE_CLAIMED) {
            assertThat(again.expect(202).text("code")).isEqualTo("environment_create_unconfirmed");
            assertThat(world.openShell().sandboxes()).isZero();
        } else {
            assertThat(again.status()).isIn(200, 201);
            assertThat(world.openShell().sandboxes()).isEqualTo(1);
            assertThat(world.openShell().calls("create")).isEqualTo(1);
        }
    }

    private static void reboot(String... options) {
        if (server.runs()) {
            server.kill9();
        }
        server.javaOptions(options).start();
    }

    private EnvironmentWorld world() {
        EnvironmentWorld world = new EnvironmentWorld(server);
        worlds.add(world);
        return world;
    }

    private static Map<String, Object> exportOf(EnvironmentWorld world, String task) throws Exception {
        String report = "{\"task\":\"" + task + "\",\"revision\":1}";
        Path artifact = Files.writeString(world.tree().resolve("work/artifacts/report.json"), report);
        world.server().give(artifact);
        return Map.of(
                "operationId", world.id("export-one"),
                "taskId", task,
                "generation", "generation-one",
                "path", "report.json",
                "sha256", EnvironmentWorld.sha256(report),
                "bytes", report.length(),
                "schema",
                        Map.of(
                                "format", "json-object/v1",
                                "fields", Map.of("task", "string", "revision", "number"),
                                "required", List.of("task", "revision")),
                "context", Map.of("task", task, "revision", 1));
    }

    /** The history that the native writes begins once, and one process carries its id. */
    private static void oneNative(EnvironmentWorld world) {
        Path projects = world.tree().resolve("native/projects/-sandbox-openrig-work");
        Await.until(
                "the native began",
                TURN,
                () -> Files.exists(projects) && histories(projects).size() == 1);
        assertThat(histories(projects)).hasSize(1);
        assertThat(BerthServer.read(histories(projects).getFirst()).split("\"begin\"", -1))
                .hasSize(2);
        assertThat(world.openShell().sandboxes()).isEqualTo(1);
    }

    private static List<Path> histories(Path projects) {
        try (var files = Files.list(projects)) {
            return files.toList();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
