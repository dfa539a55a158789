package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.FaultPauses;
import org.berth.fault.FaultPoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The server dies with a checkpoint at every point of one, and with a removal. The job repository then shows the earlier
 * steps completed, the next server runs only the others, and what is kept is the prefix that was selected first.
 */
class CheckpointKillIT {
    private static final String DONE = " COMPLETED";
    private static final List<String> STEPS = List.of("select", "transfer", "verify", "record");

    private static BerthServer server;
    private final Set<FaultPoint> hit = EnumSet.noneOf(FaultPoint.class);
    private FaultPauses pauses;
    private CapturedWorker worker;

    @BeforeAll
    static void create() {
        server = BerthServer.create("checkpoint-kill").withGuestListener();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @Test
    void earlier_steps_stay_completed_and_are_not_run_again_wherever_the_server_dies() {
        pauses = new FaultPauses(server);
        server.javaOptions(pauses.option()).start();
        worker = new CapturedWorker(server);
        try {
            worker.take("removed").expect(200);
            hold(
                    FaultPoint.CHECKPOINT_REMOVED,
                    () -> worker.world.deleteAs(
                            worker.world.coordinator(), "/api/checkpoints/" + worker.world.id("removed")));
            Path removed = worker.directory("removed");
            assertThat(removed).exists();
            byte[] recorded = holdACapture(FaultPoint.CHECKPOINT_RECORDED);
            byte[] verified = holdACapture(FaultPoint.CHECKPOINT_VERIFIED);
            byte[] transferred = holdACapture(FaultPoint.CHECKPOINT_TRANSFERRED);
            byte[] staged = holdACapture(FaultPoint.CHECKPOINT_STAGED);
            Path leftover = worker.directory(FaultPoint.CHECKPOINT_STAGED.name());
            assertThat(leftover).isDirectoryContaining("glob:**/.capture-*");
            byte[] selected = holdACapture(FaultPoint.CHECKPOINT_SELECTED);
            holdACapture(FaultPoint.CHECKPOINT_INTENT);
            pauses.kill();
            worker.append(worker.record("after all"));
            byte[] intended = worker.bytes();

            server.javaOptions().start();
            Await.until("the removed bytes are swept", () -> !removed.toFile().exists());
            assertThat(worker.show("removed")).containsEntry("state", "removed");
            look(FaultPoint.CHECKPOINT_RECORDED, recorded, List.of(steps(3, "record FAILED")));
            look(FaultPoint.CHECKPOINT_VERIFIED, verified, List.of(steps(2, "verify FAILED"), from(2)));
            look(FaultPoint.CHECKPOINT_TRANSFERRED, transferred, List.of(steps(1, "transfer FAILED"), from(1)));
            look(FaultPoint.CHECKPOINT_STAGED, staged, List.of(steps(1, "transfer FAILED"), from(1)));
            assertThat(leftover).isDirectoryNotContaining("glob:**/.capture-*");
            look(FaultPoint.CHECKPOINT_SELECTED, selected, List.of(steps(0, "select FAILED"), from(0)));
            look(FaultPoint.CHECKPOINT_INTENT, intended, List.of(from(0)));
            assertThat(hit)
                    .containsExactlyInAnyOrderElementsOf(
                            EnumSet.range(FaultPoint.CHECKPOINT_INTENT, FaultPoint.CHECKPOINT_REMOVED));
        } finally {
            if (!server.runs()) {
                server.javaOptions().start();
            }
            worker.close();
        }
    }

    /** @return what the checkpoint must hold; the history has grown past it meanwhile */
    private byte[] holdACapture(FaultPoint point) {
        byte[] selected = worker.bytes();
        hold(point, () -> worker.take(point.name()));
        worker.append(worker.record("after " + point));
        return selected;
    }

    private void hold(FaultPoint point, Runnable operation) {
        pauses.hold(point, operation);
        hit.add(point);
    }

    private void look(FaultPoint point, byte[] kept, List<List<String>> executions) {
        String name = point.name();
        Await.until(
                "the capture goes on after " + point,
                () -> "retained".equals(worker.show(name).get("state")) && executions.equals(worker.steps(name)));
        worker.take(name).expect(200);
        assertThat(worker.steps(name)).as("after %s", point).isEqualTo(executions);
        assertThat(worker.directory(name).resolve("history-0.jsonl"))
                .as("after %s", point)
                .hasBinaryContent(kept);
        CaptureExecutions console = new CaptureExecutions(server);
        long last = worker.execution(name);
        boolean failed = executions.getLast().getLast().endsWith("FAILED");
        // The model shows an execution a moment after it began.
        Await.until(
                "the model shows how the capture after " + point + " ended",
                () -> console.find(last).equals(failed ? "FAILED" : "COMPLETED"));
    }

    /** The first {@code completed} steps and what became of the next. */
    private static List<String> steps(int completed, String next) {
        List<String> steps = new java.util.ArrayList<>();
        STEPS.subList(0, completed).forEach(each -> steps.add(each + DONE));
        steps.add(next);
        return steps;
    }

    /** The steps from {@code first} on, completed. */
    private static List<String> from(int first) {
        return STEPS.subList(first, STEPS.size()).stream()
                .map(each -> each + DONE)
                .toList();
    }
}
