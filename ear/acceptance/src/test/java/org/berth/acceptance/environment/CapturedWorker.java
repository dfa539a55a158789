package org.berth.acceptance.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;

/** A worker on OpenShell's double that has done its work, and the checkpoints of its conversation. */
final class CapturedWorker implements AutoCloseable {
    private static final Duration BOOT = Duration.ofMinutes(5);
    private static final Duration TURN = Duration.ofSeconds(90);

    final EnvironmentWorld world;
    final String resourceId;
    final String generation;
    final String nativeId;
    final Path artifact;

    CapturedWorker(BerthServer server) {
        world = new EnvironmentWorld(server);
        resourceId = world.create().expect(201).text("resource", "id");
        String task = world.task();
        Map<String, Object> up = Await.value("the worker is up", BOOT, this::up, row -> "up".equals(row.get("status")));
        generation = (String) up.get("generation");
        nativeId = (String) up.get("nativeId");
        artifact = world.root().resolve("exports/" + world.binding() + "/" + task + "-export-" + task + ".json");
        Await.until("the worker's turn is over", TURN, () -> Files.exists(history()) && read().contains("exported"));
        Await.until("the result is recorded", TURN, () -> world.notes(task, "export-" + task) == 1);
    }

    /** A start that a busy machine did not answer in time goes on when it is asked for again. */
    private Map<String, Object> up() {
        try {
            return world.up();
        } catch (UncheckedIOException | AssertionError unanswered) {
            return Map.of("status", unanswered.toString());
        }
    }

    Path history() {
        return world.tree().resolve("native/projects/-sandbox-openrig-work/" + nativeId + ".jsonl");
    }

    private String read() {
        return BerthServer.read(history());
    }

    /** What the native would write. */
    String record(String text) {
        return "{\"sessionId\":\"" + nativeId + "\",\"type\":\"user\",\"message\":{\"content\":\"" + text + "\"}}\n";
    }

    void append(String text) {
        try {
            Files.writeString(history(), text, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(Path file, byte[] bytes) {
        try {
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    byte[] bytes() {
        try {
            return Files.readAllBytes(history());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Answer take(String name) {
        return world.on("checkpoint", Map.of("operationId", world.id(name), "generation", generation));
    }

    Map<String, Object> show(String name) {
        return world.get("/api/checkpoints/" + world.id(name)).expect(200).json();
    }

    /** Where the bytes of a checkpoint lie. */
    Path directory(String name) {
        return world.server().home().resolve("checkpoints/" + world.binding() + "/" + world.id(name));
    }

    /** {@code STEP STATUS} of every execution, oldest first. */
    List<List<String>> steps(String name) {
        List<List<String>> all = new ArrayList<>();
        for (Map<String, Object> execution : Json.objects(show(name), "executions")) {
            all.add(Json.objects(execution, "steps").stream()
                    .map(step -> step.get("step") + " " + step.get("status"))
                    .toList());
        }
        return all;
    }

    long execution(String name) {
        return ((Number) show(name).get("executionId")).longValue();
    }

    @Override
    public void close() {
        world.close();
    }
}
