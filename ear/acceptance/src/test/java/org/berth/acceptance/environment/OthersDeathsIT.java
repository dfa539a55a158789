package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Await;
import org.berth.acceptance.Proc;
import org.berth.fault.FaultPoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The supervisor, and the environment itself, killed at every fault point of every effect while the server waits there:
 * what is confirmed afterwards is true, what cannot be observed is not claimed, and the environment can be deleted.
 */
class OthersDeathsIT {
    private static PausingServer paused;
    private EnvironmentWorld world;

    /** Who dies. */
    private enum Victim {
        SUPERVISOR,
        ENVIRONMENT
    }

    record Case(String effect, FaultPoint point, Victim victim) {}

    @BeforeAll
    static void start() {
        paused = new PausingServer("others-deaths");
    }

    @AfterAll
    static void end() {
        paused.close();
    }

    @AfterEach
    void leave() {
        if (world != null) {
            world.openShell().end();
        }
    }

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (FaultPoint point : EnumSet.range(FaultPoint.EFFECT_INTENT, FaultPoint.EFFECT_RECORDED)) {
            for (Victim victim : Victim.values()) {
                for (String effect : List.of("close-viewer", "stop-native", "stop-compute", "delete-owned")) {
                    cases.add(new Case(effect, point, victim));
                }
            }
        }
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void what_is_confirmed_is_true_whoever_dies(Case one) {
        paused.awaitSupervisor();
        world = new EnvironmentWorld(paused.server());
        String resource = world.post("/api/environments/create", world.local(world.id("create-one")))
                .expect(201)
                .text("resource", "id");
        String key = PausingServer.key(resource);
        boolean launches = one.effect().equals("stop-native") || one.effect().equals("close-viewer");
        Map<String, Object> up = launches ? world.up() : Map.of();
        String generation = (String) up.get("generation");
        String operation = world.id("effect-one");

        paused.during(
                one.point(), () -> world.effect(operation, one.effect(), generation), () -> kill(one.victim(), key));

        Map<String, Object> journalled = world.operation(operation);
        if ("confirmed".equals(journalled.get("state"))) {
            requireTrue(one, key, up);
        }
        if (one.victim() == Victim.SUPERVISOR && !one.effect().equals("delete-owned")) {
            Await.until(
                    "the next supervisor is asked: " + one,
                    () -> world.get("/api/environments/" + world.binding() + "?live=true")
                                    .status()
                            == 200);
        }
        boolean same = one.effect().equals("delete-owned");
        paused.delete(world, key, same ? operation : world.id("delete-one"), generation);
    }

    @Test
    void a_create_whose_supervisor_died_before_its_compute_is_gone_on_with_when_it_is_asked_again() {
        paused.awaitSupervisor();
        world = new EnvironmentWorld(paused.server());
        Map<String, Object> input = world.local(world.id("create-one"));
        Answer cut = paused.during(
                FaultPoint.CREATE_CLAIMED,
                () -> world.post("/api/environments/create", input),
                () -> paused.server().killSupervisor());
        assertThat(cut.status()).as("%s", cut.text()).isIn(200, 201, 202, 503);
        paused.awaitSupervisor();

        Answer[] again = new Answer[1];
        Await.until("the create comes to its end", () -> {
            again[0] = world.post("/api/environments/create", input);
            return again[0].status() <= 201
                    && "Ready"
                            .equals(world.get("/api/environments/" + world.binding() + "?live=true")
                                    .expect(200)
                                    .text("resource", "phase"));
        });
        String key = PausingServer.key(again[0].text("resource", "id"));
        assertThat(paused.tree(key)).isNotEmpty();
        paused.delete(world, key, world.id("delete-one"), null);
    }

    private static void kill(Victim victim, String key) {
        if (victim == Victim.SUPERVISOR) {
            paused.server().killSupervisor();
        } else {
            paused.kill(key);
        }
    }

    private void requireTrue(Case one, String key, Map<String, Object> up) {
        switch (one.effect()) {
            case "close-viewer" ->
                assertThat(paused.server()
                                .api()
                                .get("/api/placement/attempts/" + up.get("viewer"))
                                .expect(200)
                                .text("attempt", "execution_state"))
                        .as("%s", one)
                        .isEqualTo("exited");
            case "stop-native" ->
                assertThat(Proc.all().stream()
                                .filter(pid -> Proc.arguments(pid).contains(up.get("nativeId")) && Proc.lives(pid)))
                        .as("%s", one)
                        .isEmpty();
            case "stop-compute" -> assertThat(paused.tree(key)).as("%s", one).isEmpty();
            default -> assertThat(paused.directory(key)).as("%s", one).doesNotExist();
        }
    }
}
