package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.berth.acceptance.Proc;
import org.berth.fault.FaultPoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The supervisor, and the successor where there is one, killed at every fault point of a recreation and of a restore while
 * the server waits there: one successor at most, confirmed only when it was observed, and exactly the saved conversation or
 * none.
 */
class RecreateDeathsIT {
    private static final String KEPT = "kept";
    private static final String SUCCESSOR = "worker-two";
    private static final Set<FaultPoint> BEFORE_A_SUCCESSOR =
            EnumSet.of(FaultPoint.RECREATE_INTENT, FaultPoint.RECREATE_CLAIMED);

    private static PausingServer paused;
    private LocalWorker worker;
    private String snapshot;
    private byte[] kept;

    /** Who dies. */
    enum Victim {
        SUPERVISOR,
        ENVIRONMENT
    }

    record Case(FaultPoint point, Victim victim) {}

    @BeforeAll
    static void start() {
        paused = new PausingServer("recreate-deaths-of-others");
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

    static Stream<Case> recreations() {
        return cases(EnumSet.range(FaultPoint.RECREATE_INTENT, FaultPoint.RECREATE_RECORDED));
    }

    static Stream<Case> restores() {
        return cases(EnumSet.range(FaultPoint.RESTORE_CLAIMED, FaultPoint.RESTORE_STAGED));
    }

    private static Stream<Case> cases(Set<FaultPoint> points) {
        List<Case> cases = new ArrayList<>();
        for (FaultPoint point : points) {
            cases.add(new Case(point, Victim.SUPERVISOR));
            if (!BEFORE_A_SUCCESSOR.contains(point)) {
                cases.add(new Case(point, Victim.ENVIRONMENT));
            }
        }
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("recreations")
    void a_recreation_ends_in_one_observed_successor_whoever_dies(Case one) {
        gone();

        Answer answer = paused.during(one.point(), this::recreate, () -> kill(one.victim()));

        requireObserved(one, answer);
        paused.awaitSupervisor();
        Answer again = Await.value(
                "the recreation comes to its end: " + one,
                this::recreate,
                each -> each.status() == 200 && "confirmed".equals(each.text("state")));
        requireObserved(one, again);
        assertThat(recreate().expect(200).json()).as("%s", one).isEqualTo(again.json());
        assertThat(natives()).as("a recreation launches nothing: %s", one).isEmpty();
        restored(one);
        deleted();
    }

    @ParameterizedTest
    @MethodSource("restores")
    void a_restore_goes_on_with_the_saved_conversation_or_refuses_whoever_dies(Case one) {
        gone();
        assertThat(recreate().expect(200).text("state")).isEqualTo("confirmed");

        Answer answer = paused.during(one.point(), this::restore, () -> kill(one.victim()));

        requireExact(one, row(answer));
        restored(one);
        deleted();
    }

    @Test
    void where_nobody_dies_the_saved_native_is_observed_after_one_recreation_and_one_restore() {
        gone();
        long begun = System.nanoTime();
        assertThat(recreate().expect(200).text("state")).isEqualTo("confirmed");
        long recreated = System.nanoTime();
        Map<String, Object> row = row(restore());
        long restored = System.nanoTime();
        assertThat(row).containsEntry("status", "resumed").containsEntry("nativeId", worker.nativeId);
        assertThat(natives()).hasSize(1);
        System.err.printf(
                "recreate %d ms, then to the native's identity %d ms%n",
                (recreated - begun) / 1_000_000, (restored - recreated) / 1_000_000);
        deleted();
    }

    /** A worker whose conversation is kept, and whose compute is gone. */
    private void gone() {
        paused.awaitSupervisor();
        worker = new LocalWorker(paused.server());
        kept = worker.bytes();
        worker.take(KEPT).expect(200);
        snapshot = worker.world
                .post("/api/rigs/" + worker.world.rigId() + "/snapshots", Map.of())
                .expect(201)
                .text("id");
        paused.delete(
                worker.world, PausingServer.key(worker.resourceId), worker.world.id("delete-one"), worker.generation);
        assertThat(environments()).isEmpty();
    }

    private Answer recreate() {
        Map<String, Object> placement = EnvironmentWorld.placement(worker.world.local(worker.world.id("unused")));
        placement.put("name", SUCCESSOR);
        return worker.world.on(
                "recreate",
                worker.world.recreation(worker.generation, worker.world.id(KEPT), worker.nativeId, placement));
    }

    private Answer restore() {
        return worker.world.post("/api/snapshots/" + snapshot + "/restore", Map.of());
    }

    private static Map<String, Object> row(Answer restored) {
        return Json.objects(restored.expect(200).json(), "nodes").getFirst();
    }

    private void kill(Victim victim) {
        if (victim == Victim.SUPERVISOR) {
            paused.server().killSupervisor();
            return;
        }
        String key = environments().getFirst().getFileName().toString();
        assertThat(paused.tree(key)).as("who shall die").isNotEmpty();
        paused.kill(key);
    }

    /** One directory at most; what is confirmed is bound, there, and runs where nobody killed it. */
    private void requireObserved(Case one, Answer answer) {
        assertThat(environments()).as("%s: %s", one, answer.text()).hasSizeLessThanOrEqualTo(1);
        String bound = worker.world.inspect().expect(200).text("resource", "id");
        if (answer.status() != 200 || !"confirmed".equals(answer.text("state"))) {
            assertThat(bound).as("%s: %s", one, answer.text()).isEqualTo(worker.resourceId);
            return;
        }
        String key = PausingServer.key(answer.text("successorResourceId"));
        assertThat(answer.text("nativeId")).isEqualTo(worker.nativeId);
        assertThat(bound).as("%s", one).isEqualTo(answer.text("successorResourceId"));
        assertThat(environments()).as("%s", one).containsExactly(paused.directory(key));
        if (one.victim() == Victim.SUPERVISOR) {
            assertThat(paused.tree(key)).as("%s: %s", one, answer.text()).isNotEmpty();
        }
    }

    /** The restore, asked for until it has its end: with a living successor the saved conversation, else a refusal. */
    private void restored(Case one) {
        paused.awaitSupervisor();
        Map<String, Object> row = one.victim() == Victim.ENVIRONMENT
                ? row(restore())
                : Await.value(
                        "the conversation goes on: " + one,
                        () -> row(restore()),
                        each -> "resumed".equals(each.get("status")));
        requireExact(one, row);
        if (one.victim() == Victim.ENVIRONMENT) {
            assertThat(row).as("%s: %s", one, row).containsEntry("status", "attention_required");
            assertThat(natives()).as("%s", one).isEmpty();
            assertThat(worker.world.up().get("status"))
                    .as("nothing fresh: %s", one)
                    .isNotEqualTo("up");
            assertThat(natives()).as("%s", one).isEmpty();
            return;
        }
        Await.until(
                "the conversation goes on: " + one,
                () -> worker.histories().stream()
                        .anyMatch(each -> BerthServer.read(each).contains("\"go on\"")));
        String history = BerthServer.read(worker.histories().getFirst());
        assertThat(history).as("%s", one).startsWith(new String(kept, StandardCharsets.UTF_8));
        assertThat(history.split("\"go on\"", -1)).as("%s: %s", one, history).hasSize(2);
        assertThat(row(restore())).containsEntry("status", "resumed");
        assertThat(natives()).as("%s", one).hasSize(1);
    }

    /** At most one native, of the saved conversation and resumed; a refusal says why. */
    private void requireExact(Case one, Map<String, Object> row) {
        List<Long> natives = natives();
        assertThat(natives).as("%s: %s", one, row).hasSizeLessThanOrEqualTo(1);
        assertThat(natives)
                .as("%s: %s", one, row)
                .allMatch(pid -> Proc.arguments(pid).containsAll(List.of("--resume", worker.nativeId)));
        if ("resumed".equals(row.get("status"))) {
            assertThat(row).as("%s", one).containsEntry("nativeId", worker.nativeId);
            assertThat(natives).as("%s: %s", one, row).hasSize(1);
        } else {
            assertThat(row)
                    .as("%s", one)
                    .containsEntry("status", "attention_required")
                    .containsKey("code");
        }
    }

    /** The stand-in agents that run in environments of this server. */
    private List<Long> natives() {
        return environments().stream()
                .flatMap(each -> paused.tree(each.getFileName().toString()).stream())
                .filter(pid -> Proc.arguments(pid).contains("-Dberth.agent=claude"))
                .filter(Proc::lives)
                .toList();
    }

    /** The directories of environments, which are named by their keys. */
    private static List<Path> environments() {
        try (Stream<Path> entries = Files.list(paused.server().home().resolve("environments"))) {
            return entries.filter(each -> each.getFileName().toString().matches("[0-9a-f]{32}"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void deleted() {
        Map<String, Object> bound = worker.world.inspect().expect(200).json();
        String resourceId = (String) Json.at(bound, "resource", "id");
        paused.delete(worker.world, PausingServer.key(resourceId), worker.world.id("delete-two"), (String)
                bound.get("generation"));
        assertThat(environments()).isEmpty();
        worker.world
                .deleteAs(worker.world.coordinator(), "/api/snapshots/" + snapshot)
                .expect(200);
        worker.remove(KEPT).expect(200);
        assertThat(worker.checkpoints()).doesNotExist();
    }
}
