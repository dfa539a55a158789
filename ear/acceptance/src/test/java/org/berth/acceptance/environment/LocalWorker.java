package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;

/** A worker with the stand-in agent in the embedded environment, and the history of its conversation. */
final class LocalWorker implements AutoCloseable {
    private static final Duration TURN = Duration.ofSeconds(90);

    final EnvironmentWorld world;
    final String resourceId;
    final String generation;
    final String nativeId;

    /** Where the agent's history lies on this host; written in its first turn. */
    final Path history;

    LocalWorker(BerthServer server) {
        world = new EnvironmentWorld(server);
        resourceId = world.post("/api/environments/create", world.local(world.id("create-one")))
                .expect(201)
                .text("resource", "id");
        Map<String, Object> up = world.up();
        assertThat(up).as("%s", up).containsEntry("status", "up");
        generation = (String) up.get("generation");
        nativeId = (String) up.get("nativeId");
        history = Await.value("the agent's turn is over", TURN, this::histories, found -> found.size() == 1)
                .getFirst();
    }

    /** The files of this conversation in every environment of this host, with a whole record at least. */
    List<Path> histories() {
        try (var files = Files.walk(world.server().home().resolve("environments"))) {
            return files.filter(each -> each.endsWith(nativeId + ".jsonl"))
                    .filter(each -> BerthServer.read(each).endsWith("\n"))
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            // Directories come and go while it starts.
            return List.of();
        }
    }

    /** What the native would write: a record of {@code text}. */
    String record(String text) {
        return "{\"sessionId\":\"" + nativeId + "\",\"type\":\"user\",\"message\":{\"content\":\"" + text + "\"}}\n";
    }

    void append(String records) {
        try {
            Files.writeString(history, records, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    byte[] bytes() {
        try {
            return Files.readAllBytes(history);
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

    Answer remove(String name) {
        return world.deleteAs(world.coordinator(), "/api/checkpoints/" + world.id(name));
    }

    /** Where the bytes of this worker's checkpoints lie. */
    Path checkpoints() {
        return world.server().home().resolve("checkpoints").resolve(world.binding());
    }

    /** How often {@code step} completed, in all executions of a checkpoint. */
    long completed(String name, String step) {
        return Json.objects(show(name), "executions").stream()
                .flatMap(each -> Json.objects(each, "steps").stream())
                .filter(each -> step.equals(each.get("step")) && "COMPLETED".equals(each.get("status")))
                .count();
    }

    @Override
    public void close() {
        world.close();
    }
}
