package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Finite completion on OpenShell's double. Source: the reference's "finite completion is selected work plus a verified
 * actual export"; what needs a clock is {@code FiniteCompletionTest}'s.
 */
class CompletionIT {
    private static BerthServer server;
    private CompletionWorld f;

    @BeforeAll
    static void create() {
        server = BerthServer.create("completion").withGuestListener().start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @AfterEach
    void putBack() {
        f.close();
    }

    private CompletionWorld projected() {
        f = new CompletionWorld(server).projected();
        return f;
    }

    @Test
    void nothingStopsOnAnUnsettledQueueOrAPendingExport() {
        projected();
        assertThat(f.select("stop-compute").expect(200).text("waitingFor")).isEqualTo("task-not-done");
        assertThat(f.stopsOfCompute()).isZero();
        f.done();
        assertThat(f.select("stop-compute").expect(200).text("waitingFor")).isEqualTo("export-missing");
        assertThat(f.stopsOfCompute()).isZero();
        assertThat(f.operation()).containsEntry("receipt", null);

        f.publish();

        f.awaitConfirmed();
        assertThat(f.stopsOfCompute()).isEqualTo(1);
        f.check();
        assertThat(f.stopsOfCompute()).isEqualTo(1);
        assertThat(f.world.inspect().expect(200).text("resource", "phase")).isEqualTo("Stopped");
    }

    @Test
    void theQueuesOwnEventEndsTheNativeAndEverythingElseStays() {
        f = new CompletionWorld(server).launched();
        assertThat(f.select("stop-native").expect(200).text("waitingFor")).isEqualTo("task-not-done");
        f.publish();
        f.done();

        f.awaitConfirmed();

        assertThat(f.stopsOfNative()).isEqualTo(1);
        assertThat(f.stopsOfCompute()).isZero();
        Answer standing = f.select("stop-native").expect(200);
        assertThat(standing.text("state")).isEqualTo("confirmed");
        assertThat(standing.text("lastAttempt", "effect")).isEqualTo("stop-native");
        assertThat(standing.at("lastAttempt", "requestedBy")).isEqualTo(f.world.coordinator());
        assertThat(standing.json()).doesNotContainKey("waitingFor");
        assertThat(f.stopsOfNative()).isEqualTo(1);
        assertThat(f.world.get("/api/queue/" + f.task).expect(200).text("state"))
                .isEqualTo("done");
        assertThat(f.world.inspect().expect(200).text("resource", "phase")).isEqualTo("Ready");
    }

    @Test
    void anotherSeatsNoteDoesNotUndoASettledTask() {
        projected();
        f.select("stop-compute").expect(200);
        f.done();
        f.world
                .postAs(
                        "observer@" + f.world.rigName(),
                        "/api/queue/" + f.task + "/update",
                        Map.of("transitionNote", "Result noted"))
                .expect(200);
        f.publish();
        f.awaitConfirmed();
        assertThat(f.stopsOfCompute()).isEqualTo(1);
    }

    @Test
    void failedWorkTriggersNothing() {
        projected();
        f.select("stop-compute").expect(200);
        f.publish();
        f.update(Map.of("state", "failed", "transitionNote", "Task failed"));
        assertThat(f.check().number("attempted")).isZero();
        assertThat(f.stopsOfCompute()).isZero();
    }

    @Test
    void aChangedArtifactPreservesTheExecution() throws Exception {
        projected();
        f.select("stop-compute").expect(200);
        Path home = f.publish();
        Files.writeString(home, "changed host artifact");
        f.done();
        assertThat(f.select("stop-compute").expect(200).text("waitingFor")).isEqualTo("export-changed");
        assertThat(f.stopsOfCompute()).isZero();
        assertThat(f.stop()).isNull();
    }

    @Test
    void aSuccessorGenerationIsNotStoppedForAnOldTask() {
        projected();
        f.select("stop-compute").expect(200);
        f.publish();
        f.world
                .project(f.world.id("projection-two"), "generation-two", List.of())
                .expect(200);
        f.done();
        f.check();
        assertThat(f.stopsOfCompute()).isZero();
        f.select("stop-compute").expectProblem(409, "environment_generation_changed");
        assertThat(f.operation()).containsEntry("receipt", null);
    }

    @ParameterizedTest
    @CsvSource({
        "stop-compute, task",
        "stop-compute, artifact",
        "stop-compute, generation",
        "stop-native, task",
        "stop-native, artifact"
    })
    void theSelectionIsCheckedAgainAfterAnAwaitedObservation(String effect, String change) throws Exception {
        f = new CompletionWorld(server);
        f = effect.equals("stop-native") ? f.launched() : f.projected();
        f.select(effect).expect(200);
        Path home = f.publish();
        f.world.openShell().fault("get", "hold");
        f.done();
        Await.until("the provider is being asked", () -> f.world.openShell().held("get"));

        switch (change) {
            case "task" ->
                f.update(Map.of("state", "in-progress", "reopen", true, "transitionNote", "Reopen selected work"));
            case "artifact" -> Files.writeString(home, "changed while the provider was asked");
            default ->
                f.world
                        .project(f.world.id("projection-two"), "generation-two", List.of())
                        .expect(200);
        }
        f.world.openShell().release("get");

        Await.until(
                "the attempt is over",
                () -> f.stop() != null && Json.at(f.operation(), "receipt", "operationId") != null);
        assertThat(f.stopsOfCompute()).isZero();
        assertThat(f.stopsOfNative()).isZero();
        assertThat(f.stop()).containsEntry("state", "intent");
        assertThat(Json.at(f.operation(), "receipt", "state")).isEqualTo("pending");
    }

    @Test
    void anOpenAttemptIsInspectableAndObservedAtMostOnceAMinute() {
        projected();
        f.world.openShell().fault("stop", "fail");
        f.select("stop-compute").expect(200);
        f.publish();
        f.done();
        Await.until("the attempt is over", () -> Json.at(f.operation(), "receipt", "operationId") != null);
        long asked = f.world.openShell().calls("get");

        for (int event = 0; event < 5; event++) {
            f.check();
        }

        assertThat(f.world.openShell().calls("get")).isEqualTo(asked);
        assertThat(f.stopsOfCompute()).isEqualTo(1);
        assertThat(f.operation()).containsEntry("state", "requested");
        Answer standing = f.select("stop-compute").expect(200);
        assertThat(standing.text("state")).isEqualTo("pending");
        assertThat(standing.at("lastAttempt")).isEqualTo(f.operation().get("receipt"));
        assertThat(standing.number("lastAttempt", "lastAttemptAt")).isPositive();
    }

    @Test
    void onlyOperatorsAndOwnersCheckAndASelectionIsRefusedWithItsReason() {
        projected();
        Api api = server.api();
        String token = api.post("/api/tokens", Map.of("name", "seat", "owner_id", "owner", "seat", f.world.seat()))
                .expect(201)
                .text("token");
        api.with(token).post("/api/completions/check").expectProblem(403, "FORBIDDEN");
        api.post("/api/completions/check", Map.of("a", 1)).expectProblem(400, "INVALID");
        f.select("delete-owned").expectProblem(409, "environment_completion_invalid");
        Map<String, Object> other = new java.util.HashMap<>(f.selection("stop-compute"));
        other.put("taskId", "nobody-knows-it");
        f.world.on("completion", other).expectProblem(409, "environment_task_changed");
        f.select("stop-compute").expect(200);
        f.select("stop-native").expectProblem(409, "environment_operation_changed");
        f.world
                .postAs(null, "/api/environments/" + f.world.binding() + "/completion", f.selection("stop-compute"))
                .expectProblem(400, "sender_identity_required");
    }
}
