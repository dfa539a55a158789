package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.berth.acceptance.openshell.OpenShellEngine;

/** A worker with guidance, a skill, a plugin and a startup file, on OpenShell's double with its engine. */
final class RestoreWorld implements AutoCloseable {
    static final String SKILL = "work/.claude/skills/skill/SKILL.md";

    private static final Duration TURN = Duration.ofSeconds(60);
    private static final String SUCCESSOR = "worker-two";
    private static final String AGENT = """
            name: worker
            version: "1.0"
            profiles:
              default: { uses: { guidance: [role], skills: [skill], plugins: [openrig-core, restored-plugin] } }
            resources:
              guidance: [ { id: role, path: role.md } ]
              skills: [ { id: skill, path: skill } ]
              plugins:
                - { id: openrig-core, source: { kind: local, path: "openrig-home:plugins/openrig-core" } }
                - { id: restored-plugin, path: plugin }
            startup:
              files: [ { path: startup.md, orientation: role, delivery_hint: send_text, required: true } ]
              actions: [ { type: send_text, text: NEVER REPLAY, phase: after_ready } ]
            """;

    private final EnvironmentWorld world;
    private final OpenShellEngine engine;
    private Map<String, Object> launched;
    private Map<String, Object> checkpoint;
    private String snapshot;

    RestoreWorld(BerthServer server) {
        world = new EnvironmentWorld(server);
        engine = new OpenShellEngine(world.openShell());
        server.give(engine.socket());
        world.file("agents/worker/agent.yaml", AGENT);
        world.file("agents/worker/role.md", "Required restored role");
        world.file("agents/worker/skill/SKILL.md", "Required restored skill");
        world.file("agents/worker/skill/old-reference.md", "Old declared skill reference");
        world.file(
                "agents/worker/plugin/.claude-plugin/plugin.json",
                "{\"name\":\"restored-plugin\",\"version\":\"1.0.0\"}");
        world.file("agents/worker/startup.md", "Required filesystem startup, never conversation input");
        world.giveAll();
    }

    EnvironmentWorld world() {
        return world;
    }

    /** A file of the agent. */
    Path source(String name) {
        return world.root().resolve("agents/worker").resolve(name);
    }

    /** Launches the worker, takes its checkpoint and the rig's snapshot, and deletes its compute. */
    RestoreWorld deleted() {
        captured();
        delete();
        return this;
    }

    /** Launches the worker, and takes its checkpoint and the rig's snapshot. */
    RestoreWorld captured() {
        world.create().expect(201);
        launched = world.up();
        assertThat(launched).as("%s", launched).containsEntry("status", "up");
        Await.until(
                "the conversation began",
                TURN,
                () -> Files.exists(history("worker-one"))
                        && BerthServer.read(history("worker-one")).endsWith("\n"));
        checkpoint = world.on("checkpoint", Map.of("operationId", checkpointId(), "generation", generation()))
                .expect(200)
                .json();
        snapshot = snapshot().expect(201).text("id");
        return this;
    }

    Answer snapshot() {
        return world.post("/api/rigs/" + world.rigId() + "/snapshots", Map.of());
    }

    void delete() {
        Map<String, Object> effect = new LinkedHashMap<>();
        effect.put("operationId", world.id("delete"));
        effect.put("generation", generation());
        effect.put("effect", "delete-owned");
        effect.put("engineSocket", engine.socket().toString());
        assertThat(world.on("effect", effect).expect(200).text("state")).isEqualTo("confirmed");
    }

    Map<String, Object> recreation() {
        Map<String, Object> placement =
                new LinkedHashMap<>(EnvironmentWorld.placement(world.input(world.id("unused"))));
        placement.put("name", SUCCESSOR);
        return world.recreation(generation(), checkpointId(), nativeId(), placement);
    }

    Answer recreate() {
        return world.on("recreate", recreation());
    }

    RestoreWorld recreated() {
        deleted();
        assertThat(recreate().expect(200).text("state")).isEqualTo("confirmed");
        return this;
    }

    /** The worker's row of a restore. */
    Map<String, Object> restore() {
        return Json.objects(
                        world.post("/api/snapshots/" + snapshot + "/restore", Map.of())
                                .expect(200)
                                .json(),
                        "nodes")
                .getFirst();
    }

    String checkpointId() {
        return world.id("checkpoint");
    }

    String snapshotId() {
        return snapshot;
    }

    String generation() {
        return (String) launched.get("generation");
    }

    String nativeId() {
        return (String) launched.get("nativeId");
    }

    /** The private history that was kept. */
    Path kept() {
        List<Map<String, Object>> files = Json.objects(checkpoint, "files");
        return Path.of((String) files.getFirst().get("source"));
    }

    /** The successor's tree. */
    Path tree() {
        return world.openShell().tree(world.workspace(), SUCCESSOR);
    }

    /** The conversation's history in the successor's tree. */
    Path history() {
        return history(SUCCESSOR);
    }

    private Path history(String name) {
        return world.openShell()
                .tree(world.workspace(), name)
                .resolve("native/projects/-sandbox-openrig-work/" + nativeId() + ".jsonl");
    }

    /** The successor's agent began its first turn. */
    void awaitResumed() {
        Await.until(
                "the conversation goes on",
                TURN,
                () -> BerthServer.read(history()).contains("\"go on\""));
    }

    void write(Path file, String text) {
        try {
            Files.writeString(file, text);
            world.server().give(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void remove(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        world.close();
        engine.close();
    }
}
