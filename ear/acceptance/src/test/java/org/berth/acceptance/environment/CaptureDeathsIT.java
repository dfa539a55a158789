package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Await;
import org.berth.fault.FaultPoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The supervisor, and the environment itself, killed at every fault point of a checkpoint while the server waits there: what
 * is retained is what the guest's history had, what could not be read is not claimed, and nothing is doubled.
 */
class CaptureDeathsIT {
    private static final String TAKEN = "taken";
    private static final String KEPT = "history-0.jsonl";

    /** Until here the guest still has to be read. */
    private static final Set<FaultPoint> UNREAD =
            EnumSet.of(FaultPoint.CHECKPOINT_INTENT, FaultPoint.CHECKPOINT_SELECTED);

    private static PausingServer paused;
    private LocalWorker worker;

    /** Who dies. */
    enum Victim {
        SUPERVISOR,
        ENVIRONMENT
    }

    record Case(FaultPoint point, Victim victim) {}

    @BeforeAll
    static void start() {
        paused = new PausingServer("capture-deaths");
    }

    @AfterAll
    static void end() {
        paused.close();
    }

    @AfterEach
    void leave() {
        if (worker != null) {
            worker.close();
        }
    }

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (FaultPoint point : EnumSet.range(FaultPoint.CHECKPOINT_INTENT, FaultPoint.CHECKPOINT_RECORDED)) {
            for (Victim victim : Victim.values()) {
                cases.add(new Case(point, victim));
            }
        }
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void what_is_retained_is_what_the_guest_had_whoever_dies(Case one) {
        paused.awaitSupervisor();
        worker = new LocalWorker(paused.server());
        byte[] before = worker.bytes();

        Answer answer = paused.during(one.point(), () -> worker.take(TAKEN), () -> {
            worker.append(worker.record("after " + one.point()));
            kill(one.victim());
        });

        byte[] wanted = one.point() == FaultPoint.CHECKPOINT_INTENT ? worker.bytes() : before;
        requireTrue(one, answer, wanted);
        if (one.victim() == Victim.SUPERVISOR) {
            paused.awaitSupervisor();
            Answer again = Await.value(
                    "the capture comes to its end: " + one, () -> worker.take(TAKEN), each -> each.status() == 200);
            requireTrue(one, again, wanted);
        } else {
            Answer again = worker.take(TAKEN);
            requireTrue(one, again, wanted);
            assertThat(again.status())
                    .as("%s: %s", one, again.text())
                    .isEqualTo(UNREAD.contains(one.point()) ? 409 : 200);
        }
        deleted();
    }

    @ParameterizedTest
    @EnumSource
    void a_removed_checkpoint_is_gone_whoever_dies(Victim victim) {
        paused.awaitSupervisor();
        worker = new LocalWorker(paused.server());
        worker.take(TAKEN).expect(200);

        paused.during(FaultPoint.CHECKPOINT_REMOVED, () -> worker.remove(TAKEN), () -> {
                    assertThat(worker.show(TAKEN)).containsEntry("state", "removed");
                    kill(victim);
                })
                .expect(200);

        worker.take(TAKEN).expectProblem(409, "environment_checkpoint_missing");
        deleted();
    }

    private void kill(Victim victim) {
        if (victim == Victim.SUPERVISOR) {
            paused.server().killSupervisor();
        } else {
            String key = PausingServer.key(worker.resourceId);
            assertThat(paused.tree(key)).as("who shall die").isNotEmpty();
            paused.kill(key);
        }
    }

    /** The answer, the journal and the disk say the same, and there is one of each. */
    private void requireTrue(Case one, Answer answer, byte[] wanted) {
        Map<String, Object> shown = worker.show(TAKEN);
        List<Path> kept = below(worker.checkpoints().resolve(worker.world.id(TAKEN)));
        assertThat(kept)
                .as("%s", one)
                .noneMatch(each -> each.getFileName().toString().startsWith(".capture-"));
        assertThat(below(worker.checkpoints())).as("%s", one).hasSizeLessThanOrEqualTo(1);
        if (answer.status() == 200) {
            assertThat(shown).as("%s", one).containsEntry("state", "retained").doesNotContainKey("code");
            assertThat(kept).as("%s", one).hasSize(1);
            assertThat(kept.getFirst()).as("%s", one).hasFileName(KEPT).hasBinaryContent(wanted);
            for (String step : List.of("select", "transfer", "verify", "record")) {
                assertThat(worker.completed(TAKEN, step))
                        .as("%s: %s", one, step)
                        .isEqualTo(1);
            }
        } else {
            assertThat(shown)
                    .as("%s: %s", one, answer.text())
                    .containsEntry("state", "failed")
                    .containsEntry("code", answer.text("code"));
            assertThat(kept).as("%s: %s", one, answer.text()).isEmpty();
        }
    }

    private static List<Path> below(Path directory) {
        if (Files.notExists(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void deleted() {
        worker.remove(TAKEN).expect(200);
        assertThat(worker.show(TAKEN)).containsEntry("state", "removed").containsEntry("diskFiles", 0L);
        assertThat(worker.checkpoints()).doesNotExist();
        paused.delete(
                worker.world, PausingServer.key(worker.resourceId), worker.world.id("delete-one"), worker.generation);
    }
}
