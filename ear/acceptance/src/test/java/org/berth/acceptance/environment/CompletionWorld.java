package org.berth.acceptance.environment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;

/** A worker whose report is ready in its guest, its work item, and the wish that its compute ends with it. */
final class CompletionWorld implements AutoCloseable {
    static final String GENERATION = "generation-one";

    final EnvironmentWorld world;
    final String task;
    final String completion;
    private final String export;
    private String generation = GENERATION;
    private Path home;

    CompletionWorld(BerthServer server) {
        world = new EnvironmentWorld(server);
        task = world.id("task-one");
        completion = world.id("completion-one");
        export = world.id("export-one");
        world.create().expect(201);
    }

    /** Prepared for the generation that tests name, without a native. */
    CompletionWorld projected() {
        world.task();
        world.project(world.id("projection-one"), GENERATION, List.of()).expect(200);
        return this;
    }

    /** With a native, which found no work and waits. */
    CompletionWorld launched() {
        generation = (String) world.up().get("generation");
        Await.until(
                "the native found no work and waits",
                Duration.ofSeconds(60),
                () -> "idle"
                        .equals(world.get("/api/activity/seats/" + world.seat())
                                .expect(200)
                                .text("state")));
        world.task();
        return this;
    }

    @Override
    public void close() {
        world.close();
    }

    Answer select(String effect) {
        return world.on("completion", selection(effect));
    }

    Map<String, Object> selection(String effect) {
        return Map.of(
                "operationId", completion,
                "generation", generation,
                "taskId", task,
                "exportOperationId", export,
                "effect", effect);
    }

    /** Brings the report home. @return its file on this host */
    Path publish() {
        String report = "{\"task\":\"" + task + "\",\"revision\":1}";
        try {
            Path artifact = world.tree().resolve("work/artifacts/report.json");
            Files.writeString(artifact, report);
            world.server().give(artifact);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("operationId", export);
        request.put("taskId", task);
        request.put("generation", generation);
        request.put("path", "report.json");
        request.put("sha256", EnvironmentWorld.sha256(report));
        request.put("bytes", report.length());
        request.put(
                "schema",
                Map.of(
                        "format",
                        "json-object/v1",
                        "fields",
                        Map.of("task", "string", "revision", "number"),
                        "required",
                        List.of("task", "revision")));
        request.put("context", Map.of("task", task, "revision", 1));
        home = Path.of(world.on("export", request).expect(200).text("path"));
        return home;
    }

    /** Takes the file that came home away; nothing where none did. */
    void hide() {
        move(home, away());
    }

    /** The host knows this world's places again, and its file is back. */
    void present() {
        world.hostPolicy("openshell: { executable: \"" + world.openShell().executable() + "\" }\n");
        move(away(), home);
    }

    private Path away() {
        return world.root().resolve("away.json");
    }

    private static void move(Path from, Path to) {
        try {
            if (from != null && Files.exists(from)) {
                Files.move(from, to);
            }
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    void done() {
        update(Map.of("state", "done", "closureReason", "no-follow-on", "transitionNote", "Result complete"));
    }

    void update(Map<String, Object> change) {
        world.postAs(world.seat(), "/api/queue/" + task + "/update", change).expect(200);
    }

    /** On demand; what was found. */
    Answer check() {
        Api api = world.server().api();
        return api.post("/api/completions/check").expect(200);
    }

    /** The completion's operation in the binding's journal. */
    Map<String, Object> operation() {
        return operation(completion);
    }

    Map<String, Object> operation(String operationId) {
        return Json.objects(world.inspect().expect(200).json(), "operations").stream()
                .filter(each -> operationId.equals(each.get("operationId")))
                .findFirst()
                .orElse(null);
    }

    /** The one stop of the completion; null while nobody asked for it. */
    Map<String, Object> stop() {
        return operation(
                "completion-stop-" + EnvironmentWorld.sha256(completion).substring(0, 48));
    }

    void awaitConfirmed() {
        Await.until(
                "the completion is confirmed",
                () -> "confirmed".equals(operation().get("state")));
    }

    long stopsOfCompute() {
        return world.openShell().calls("stop");
    }

    long stopsOfNative() {
        return world.openShell().helperCalls("--stop-native");
    }
}
