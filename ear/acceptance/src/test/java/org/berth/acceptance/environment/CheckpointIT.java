package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checkpoints of one worker on OpenShell's double; names of the reference's tests where it has the test. */
class CheckpointIT {
    private static final List<String> COMPLETED =
            List.of("select COMPLETED", "transfer COMPLETED", "verify COMPLETED", "record COMPLETED");

    private static BerthServer server;
    private static CapturedWorker worker;

    @BeforeAll
    static void create() {
        server = BerthServer.create("checkpoint").withGuestListener().start();
        worker = new CapturedWorker(server);
    }

    @AfterAll
    static void end() {
        try {
            worker.close();
        } finally {
            server.close();
        }
    }

    @Test
    void retains_verified_private_history_bytes_and_nonsecret_exact_native_compute_references() throws IOException {
        byte[] history = worker.bytes();
        Answer taken = worker.take("one").expect(200);

        Map<String, Object> receipt = taken.json();
        assertThat(receipt)
                .containsEntry("version", 1L)
                .containsEntry("checkpointId", worker.world.id("one"))
                .containsEntry("bindingId", worker.world.binding())
                .containsEntry("nodeId", worker.world.nodeId())
                .containsEntry("seat", worker.world.seat())
                .containsEntry("generation", worker.generation)
                .containsEntry("nativeId", worker.nativeId)
                .containsEntry("nativeType", "community:openshell-claude")
                .containsEntry("predecessorResourceId", worker.resourceId)
                .containsEntry("destinationCwd", "/sandbox/openrig/work")
                .containsEntry("nativeState", "/sandbox/openrig/native");
        List<Map<String, Object>> files = Json.objects(receipt, "files");
        assertThat(files).hasSize(1);
        Path kept = Path.of((String) files.getFirst().get("source"));
        assertThat(kept).isEqualTo(worker.directory("one").resolve("history-0.jsonl"));
        assertThat(kept).hasBinaryContent(history);
        assertThat(taken.text()).doesNotContain("begin").doesNotContain("exported task");
        assertThat(mode(kept)).isEqualTo("rw-------");
        for (Path each = kept.getParent(); !each.equals(server.home()); each = each.getParent()) {
            assertThat(mode(each)).as("%s", each).isEqualTo("rwx------");
        }
        assertThat(Json.objects(receipt, "artifacts"))
                .extracting(each -> each.get("path"))
                .containsExactly("work/artifacts/report.json");
        assertThat(Json.objects(receipt, "context"))
                .extracting(each -> each.get("path"))
                .contains("work/.openrig/startup/role.md");
    }

    @Test
    void the_same_operation_answers_the_same_checkpoint_however_the_history_goes_on() {
        Answer first = worker.take("again").expect(200);
        byte[] kept = worker.bytes();
        worker.append(worker.record("later"));

        assertThat(worker.take("again").expect(200).json()).isEqualTo(first.json());
        assertThat(worker.directory("again").resolve("history-0.jsonl")).hasBinaryContent(kept);
        assertThat(worker.steps("again")).containsExactly(COMPLETED);
        worker.world
                .on("checkpoint", Map.of("operationId", worker.world.id("again"), "generation", "another"))
                .expectProblem(409, "environment_generation_changed");
        worker.world
                .postAs(
                        "other@" + worker.world.rigName(),
                        "/api/environments/" + worker.world.binding() + "/checkpoint",
                        Map.of("operationId", worker.world.id("again"), "generation", worker.generation))
                .expectProblem(409, "environment_operation_changed");
    }

    @Test
    void half_a_record_is_no_checkpoint_and_the_same_operation_takes_it_once_the_record_is_whole() {
        byte[] before = worker.bytes();
        String record = worker.record("slowly");
        worker.append(record.substring(0, 20));
        worker.take("half").expectProblem(409, "environment_checkpoint_incomplete");
        assertThat(worker.show("half"))
                .containsEntry("state", "failed")
                .containsEntry("code", "environment_checkpoint_incomplete")
                .containsEntry("diskFiles", 0L);

        worker.append(record.substring(20));
        worker.take("half").expect(200);
        assertThat(worker.show("half")).containsEntry("state", "retained");
        assertThat(worker.steps("half")).containsExactly(List.of("select FAILED"), COMPLETED);
        assertThat(worker.directory("half").resolve("history-0.jsonl"))
                .hasBinaryContent(join(before, record.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void an_administrator_restarts_a_failed_checkpoint_as_the_consoles_button_does() throws IOException {
        Path role = worker.world.root().resolve("agents/worker/role.md");
        byte[] text = Files.readAllBytes(role);
        worker.write(role, "Another role".getBytes(StandardCharsets.UTF_8));
        worker.take("console").expectProblem(409, "environment_checkpoint_changed");
        worker.write(role, text);
        long failed = worker.execution("console");
        CaptureExecutions console = new CaptureExecutions(server);
        // The console offers its button for this status alone.
        Await.until("the model shows the failure", () -> console.find(failed).equals("STOPPED"));
        assertThat(console.exitStatus(failed)).startsWith("environment_checkpoint_changed 409: ");

        long restarted = console.restart(failed);

        assertThat(restarted).isGreaterThan(failed);
        Await.until(
                "the capture is done",
                () -> "retained".equals(worker.show("console").get("state")));
        assertThat(worker.execution("console")).isEqualTo(restarted);
        // The model shows an execution a moment after it began.
        Await.until("the execution is over", () -> console.find(restarted).equals("COMPLETED"));
        assertThat(worker.steps("console"))
                .containsExactly(
                        List.of("select COMPLETED", "transfer COMPLETED", "verify FAILED"),
                        List.of("verify COMPLETED", "record COMPLETED"));
        worker.take("console").expect(200);
    }

    @Test
    void an_operator_restarts_a_refused_capture_once_however_many_ask_and_completed_steps_are_not_run_again()
            throws Exception {
        Path role = worker.world.root().resolve("agents/worker/role.md");
        byte[] text = Files.readAllBytes(role);
        worker.write(role, "Another role".getBytes(StandardCharsets.UTF_8));
        worker.take("route").expectProblem(409, "environment_checkpoint_changed");
        worker.write(role, text);
        long refused = worker.execution("route");
        assertThat(batch(refused))
                .containsEntry("job", "checkpoint-capture")
                .containsEntry("status", "STOPPED")
                .containsEntry("checkpointId", worker.world.id("route"))
                .containsEntry("restartable", true);
        assertThat((String) batch(refused).get("exitStatus")).startsWith("environment_checkpoint_changed 409: ");

        List<Answer> answers = Collections.synchronizedList(new ArrayList<>());
        List<Thread> callers = IntStream.range(0, 4)
                .mapToObj(each -> Thread.ofVirtual().start(() -> answers.add(restart(server.api(), refused))))
                .toList();
        for (Thread each : callers) {
            each.join(Duration.ofSeconds(60));
        }

        assertThat(answers).hasSize(4);
        Answer first = answers.stream()
                .filter(each -> each.status() == 200)
                .reduce((one, other) -> {
                    throw new AssertionError("two restarts of " + refused);
                })
                .orElseThrow();
        answers.stream().filter(each -> each != first).forEach(each -> each.expectProblem(409, "CONFLICT"));
        long restarted = ((Number) first.json().get("executionId")).longValue();
        Await.until(
                "the capture is done",
                () -> "retained".equals(worker.show("route").get("state")));
        assertThat(worker.steps("route"))
                .containsExactly(
                        List.of("select COMPLETED", "transfer COMPLETED", "verify FAILED"),
                        List.of("verify COMPLETED", "record COMPLETED"));
        Await.until(
                "the execution is over",
                () -> "COMPLETED".equals(batch(restarted).get("status")));
        assertThat(batch(restarted))
                .containsEntry("restartable", false)
                .containsEntry("hostId", batch(refused).get("hostId"));
        assertThat(batch(refused)).containsEntry("restartable", false);
        restart(server.api(), restarted).expectProblem(409, "CONFLICT");
        restart(server.api(), Long.MAX_VALUE).expectProblem(404, "NOT_FOUND");
        Api owner = server.api()
                .with(server.api()
                        .post("/api/tokens", Map.of("owner_id", "somebody"))
                        .expect(201)
                        .text("token"));
        owner.get("/api/batch/executions").expectProblem(403, "FORBIDDEN");
        restart(owner, refused).expectProblem(403, "FORBIDDEN");
        server.api().get("/api/batch/executions?state=over").expectProblem(400, "INVALID");
    }

    private static Map<String, Object> batch(long execution) {
        return Json.objects(
                        server.api()
                                .get("/api/batch/executions?job=checkpoint-capture&limit=1000")
                                .expect(200)
                                .json(),
                        "executions")
                .stream()
                .filter(each -> ((Number) each.get("executionId")).longValue() == execution)
                .findFirst()
                .orElseThrow();
    }

    private static Answer restart(Api caller, long execution) {
        return caller.post("/api/batch/executions/" + execution + "/restart", Map.of());
    }

    @Test
    void another_conversation_in_the_history_ends_the_operation_with_its_refusal() {
        byte[] before = worker.bytes();
        worker.append("{\"sessionId\":\"" + UUID.randomUUID() + "\",\"type\":\"user\"}\n");
        try {
            worker.take("foreign").expectProblem(409, "environment_checkpoint_identity_mismatch");
        } finally {
            worker.write(worker.history(), before);
        }

        worker.take("foreign").expectProblem(409, "environment_checkpoint_identity_mismatch");
        assertThat(worker.show("foreign"))
                .containsEntry("state", "refused")
                .containsEntry("code", "environment_checkpoint_identity_mismatch")
                .containsEntry("status", 409L);
        assertThat(worker.steps("foreign"))
                .containsExactly(List.of("select COMPLETED", "transfer COMPLETED", "verify FAILED"));
    }

    @Test
    void a_changed_export_or_context_source_is_refused_and_taken_once_it_is_back() throws IOException {
        byte[] report = Files.readAllBytes(worker.artifact);
        worker.write(worker.artifact, "{}".getBytes(StandardCharsets.UTF_8));
        worker.take("artifact").expectProblem(409, "environment_checkpoint_changed");
        worker.write(worker.artifact, report);
        worker.take("artifact").expect(200);

        Path role = worker.world.root().resolve("agents/worker/role.md");
        byte[] text = Files.readAllBytes(role);
        worker.write(role, "Another role".getBytes(StandardCharsets.UTF_8));
        worker.take("context").expectProblem(409, "environment_checkpoint_changed");
        worker.write(role, text);
        worker.take("context").expect(200);
        assertThat(worker.steps("context"))
                .containsExactly(
                        List.of("select COMPLETED", "transfer COMPLETED", "verify FAILED"),
                        List.of("verify COMPLETED", "record COMPLETED"));
    }

    @Test
    void changed_retained_bytes_are_never_answered_as_a_checkpoint() {
        worker.take("spoilt").expect(200);
        worker.write(
                worker.directory("spoilt").resolve("history-0.jsonl"),
                "changed history".getBytes(StandardCharsets.UTF_8));
        worker.take("spoilt").expectProblem(409, "environment_checkpoint_changed");
    }

    @Test
    void checkpoints_are_listed_with_what_they_take_and_removed_for_good() {
        worker.take("listed").expect(200);
        long bytes = worker.bytes().length;
        List<Map<String, Object>> listed = Json.objects(
                worker.world
                        .get("/api/environments/" + worker.world.binding() + "/checkpoints")
                        .expect(200)
                        .json(),
                "checkpoints");
        assertThat(listed.getFirst())
                .containsEntry("checkpointId", worker.world.id("listed"))
                .containsEntry("state", "retained")
                .containsEntry("diskBytes", bytes)
                .containsEntry("diskFiles", 1L)
                .containsKey("ageSeconds");
        Map<String, Object> page =
                worker.world.get("/api/checkpoints?limit=1").expect(200).json();
        assertThat(Json.objects(page, "checkpoints")).hasSize(1);
        assertThat(page).containsEntry("nextAfter", worker.world.id("listed"));
        assertThat(worker.world
                        .get("/api/checkpoints?after=" + worker.world.id("listed"))
                        .expect(200)
                        .text())
                .doesNotContain(worker.world.id("listed"));

        Map<String, Object> removed = delete("listed").expect(200).json();

        assertThat(removed)
                .containsEntry("removed", true)
                .containsEntry("freedBytes", bytes)
                .containsEntry("freedFiles", 1L);
        assertThat(worker.directory("listed")).doesNotExist();
        assertThat(worker.show("listed")).containsEntry("state", "removed").containsEntry("diskBytes", 0L);
        worker.take("listed").expectProblem(409, "environment_checkpoint_missing");
        assertThat(delete("listed").expect(200).json()).containsEntry("freedBytes", 0L);
        delete("never").expectProblem(404, "environment_checkpoint_missing");
    }

    @Test
    void a_binding_without_a_confirmed_native_has_no_checkpoint() {
        worker.world
                .post(
                        "/api/environments/" + worker.world.id("nothing") + "/checkpoint",
                        Map.of("operationId", worker.world.id("none"), "generation", worker.generation))
                .expectProblem(404, "environment_binding_missing");
        worker.world
                .on("checkpoint", Map.of("generation", worker.generation))
                .expectProblem(400, "invalid_environment_request");
        assertThat(worker.world
                        .postAs(
                                null,
                                "/api/environments/" + worker.world.binding() + "/checkpoint",
                                Map.of("operationId", worker.world.id("none"), "generation", worker.generation))
                        .status())
                .isEqualTo(400);
        worker.world
                .get("/api/checkpoints/" + worker.world.id("none"))
                .expectProblem(404, "environment_checkpoint_missing");
    }

    @Test
    void callers_of_the_same_operation_share_one_capture() throws Exception {
        List<Thread> callers = IntStream.range(0, 4)
                .mapToObj(each ->
                        Thread.ofVirtual().start(() -> worker.take("shared").expect(200)))
                .toList();
        for (Thread each : callers) {
            each.join(Duration.ofSeconds(60));
        }
        assertThat(worker.steps("shared")).containsExactly(COMPLETED);
    }

    private static Answer delete(String name) {
        return worker.world.deleteAs(worker.world.coordinator(), "/api/checkpoints/" + worker.world.id(name));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static byte[] join(byte[] one, byte[] other) {
        byte[] joined = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, joined, one.length, other.length);
        return joined;
    }
}
