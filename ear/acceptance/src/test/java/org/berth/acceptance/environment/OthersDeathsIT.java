package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Proc;
import org.berth.fault.FaultPoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The supervisor, and the environment itself, killed at every fault point of every effect while the server waits there:
 * what is confirmed afterwards is true, what cannot be observed is not claimed, and the environment can be deleted.
 */
class OthersDeathsIT {
    private static final int MOST_TRIES = 40;

    private static BerthServer server;
    private static Path pauses;
    private EnvironmentWorld world;

    /** Who dies. */
    private enum Victim {
        SUPERVISOR,
        ENVIRONMENT
    }

    record Case(String effect, FaultPoint point, Victim victim) {}

    @BeforeAll
    static void create() throws IOException {
        server = BerthServer.create("others-deaths").withGuestListener();
        pauses = Files.createDirectories(server.home().resolve("pauses"));
        server.give(pauses);
        server.javaOptions("-Dberth.fault.pause=" + pauses).start();
    }

    @AfterAll
    static void end() {
        String home = server.home() + "/environments/";
        server.close();
        ProcessHandle.allProcesses()
                .filter(each -> String.join(" ", Proc.arguments(each.pid())).contains(home))
                .forEach(ProcessHandle::destroyForcibly);
    }

    @AfterEach
    void leave() throws IOException {
        for (FaultPoint point : FaultPoint.values()) {
            Files.deleteIfExists(pauses.resolve(point.name()));
        }
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
    void what_is_confirmed_is_true_whoever_dies(Case one) throws Exception {
        supervised();
        world = new EnvironmentWorld(server);
        String resource = world.post("/api/environments/create", world.local(world.id("create-one")))
                .expect(201)
                .text("resource", "id");
        String key = resource.replace("-", "");
        boolean launches = one.effect().equals("stop-native") || one.effect().equals("close-viewer");
        Map<String, Object> up = launches ? world.up() : Map.of();
        String generation = (String) up.get("generation");
        String operation = world.id("effect-one");

        Path armed = Files.createFile(pauses.resolve(one.point().name()));
        CompletableFuture<Answer> asked =
                CompletableFuture.supplyAsync(() -> world.effect(operation, one.effect(), generation));
        Path hit = pauses.resolve(one.point().name() + ".hit");
        Await.until("the point is reached: " + one, () -> Files.exists(hit) || asked.isDone());
        assertThat(hit).as("%s: %s", one, asked.getNow(null)).exists();
        kill(one.victim(), key);
        Files.delete(hit);
        Files.delete(armed);
        asked.handle((answer, failure) -> answer).join();

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
        deleted(one, key, operation, generation);
    }

    private static void kill(Victim victim, String key) {
        if (victim == Victim.SUPERVISOR) {
            server.killSupervisor();
            return;
        }
        List<Long> all = tree(key);
        all.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        Await.until("the environment is dead", () -> all.stream().noneMatch(Proc::lives));
    }

    /** The processes whose command lines name the environment's directory, and all below them. */
    private static List<Long> tree(String key) {
        return ProcessHandle.allProcesses()
                .filter(each -> String.join(" ", Proc.arguments(each.pid())).contains("/environments/" + key))
                .flatMap(each -> Stream.concat(Stream.of(each), each.descendants()))
                .map(ProcessHandle::pid)
                .distinct()
                .toList();
    }

    private void requireTrue(Case one, String key, Map<String, Object> up) {
        switch (one.effect()) {
            case "close-viewer" ->
                assertThat(server.api()
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
            case "stop-compute" -> assertThat(tree(key)).as("%s", one).isEmpty();
            default -> assertThat(directory(key)).as("%s", one).doesNotExist();
        }
    }

    private static Path directory(String key) {
        return server.home().resolve("environments").resolve(key);
    }

    /** A deletion comes to its end, and its end is the truth. */
    private void deleted(Case one, String key, String first, String generation) {
        boolean same = one.effect().equals("delete-owned");
        for (int i = 0; ; i++) {
            String operation = same && i == 0 ? first : world.id("delete-" + i);
            Answer answer = world.effect(operation, "delete-owned", generation);
            if (answer.status() == 200 && "confirmed".equals(answer.text("state"))) {
                break;
            }
            assertThat(i).as("%s: %s", one, answer.text()).isLessThan(MOST_TRIES);
            Await.until(
                    "the supervisor is there",
                    () -> server.api().get("/healthz").text("supervisor").equals("up"));
        }
        assertThat(tree(key)).as("%s", one).isEmpty();
        assertThat(directory(key)).as("%s", one).doesNotExist();
    }

    private static void supervised() {
        Await.until(
                "a supervisor is there",
                () -> server.api().get("/healthz").text("supervisor").equals("up"));
    }
}
