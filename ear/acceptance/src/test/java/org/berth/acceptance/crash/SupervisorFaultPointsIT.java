package org.berth.acceptance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Proc;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The supervisor dies at every fault point of its own. A line in the {@code java.args} of its copy below the state root
 * chooses the point; the line is gone again before the point is met, so that the next supervisor lives.
 */
class SupervisorFaultPointsIT {
    private static BerthServer server;

    @BeforeAll
    static void start() {
        server = BerthServer.create("supervisor-faults").start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @Test
    void everyPointLeavesWhatTheTablesAllow() throws Exception {
        Map<String, Consumer<String>> scenarios = new TreeMap<>();
        scenarios.put("BEFORE_SPAWNING_JOURNALLED", this::neverSpawned);
        scenarios.put("AFTER_SPAWNING_JOURNALLED", this::perhapsSpawned);
        scenarios.put("AFTER_SPAWN_BEFORE_SPAWNED_JOURNALLED", this::adopted);
        scenarios.put("AFTER_SPAWNED_JOURNALLED", this::adopted);
        scenarios.put("BEFORE_EXIT_JOURNALLED", point -> exited(point, false));
        scenarios.put("AFTER_EXIT_JOURNALLED", point -> exited(point, true));
        scenarios.put("STOP_BETWEEN_TERM_AND_KILL", this::killedAtItsDeadline);
        scenarios.put("BEFORE_FENCE_JOURNALLED", this::fenced);
        scenarios.put("AFTER_FENCE_JOURNALLED", this::fenced);
        assertThat(scenarios).containsOnlyKeys(points());

        scenarios.forEach((point, scenario) -> scenario.accept(point));
    }

    /** Those of attempts; the supervisor's own suite dies at those of channels. */
    private static List<String> points() throws Exception {
        URL jar = Path.of(System.getProperty("berth.root", "../.."))
                .resolve("target/server/berth/supervisor/berth-supervisor.jar")
                .toUri()
                .toURL();
        List<String> names = new ArrayList<>();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar}, null)) {
            for (Object point :
                    loader.loadClass("org.berth.process.supervisor.FaultPoint").getEnumConstants()) {
                String name = ((Enum<?>) point).name();
                if (!name.contains("_CHANNEL_")) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    /** Runs {@code operation} on a supervisor that ends at {@code point}, and waits for the one that follows. */
    private void dieAt(String point, Runnable operation) {
        long armed = arm(point);
        operation.run();
        Await.until("the supervisor ends at " + point, () -> !Proc.lives(armed));
        Await.until("a supervisor follows", () -> connected() != armed && Proc.lives(connected()));
    }

    private static long arm(String point) {
        long before = server.supervisorPid();
        try {
            Path arguments = arguments();
            String plain = Files.readString(arguments);
            Files.writeString(arguments, plain + "\n-Dberth.fault=" + point.toLowerCase(Locale.ROOT) + "\n");
            server.killSupervisor();
            long armed = Await.value(
                    "an armed supervisor", SupervisorFaultPointsIT::connected, pid -> pid != before && pid > 0);
            Files.writeString(arguments, plain);
            return armed;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Path arguments() throws IOException {
        try (var copies = Files.list(server.home().resolve("supervisor"))) {
            return copies.map(copy -> copy.resolve("java.args"))
                    .filter(Files::isRegularFile)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** The supervisor that the server is connected to; 0 for none. */
    private static long connected() {
        org.berth.acceptance.Answer answer = server.api().get("/api/placement/capabilities");
        if (answer.status() != 200) {
            return 0;
        }
        List<Map<String, Object>> all = org.berth.acceptance.Json.objects(answer.json(), "supervisors");
        return all.isEmpty() ? 0 : (Long) all.getFirst().get("pid");
    }

    private void neverSpawned(String point) {
        Api api = server.api();
        Child child = Child.untilTerm(server, 7);
        api.prepared(child.launch);
        dieAt(point, () -> assertThat(api.start(child.id).status()).isNotEqualTo(200));
        reconcileUntil(child, "exited");
        assertThat(child.starts()).isEmpty();
        assertThat(api.attempt(child.id)).containsEntry("exit_source", "not_started");
        Records.cleanUp(api, child);
    }

    private void perhapsSpawned(String point) {
        Api api = server.api();
        Child child = Child.untilTerm(server, 7);
        api.prepared(child.launch);
        dieAt(point, () -> assertThat(api.start(child.id).status()).isNotEqualTo(200));
        reconcileUntil(child, "uncertain");
        api.start(child.id).expect(200);
        assertThat(child.starts())
                .as("an uncertain attempt is not started again")
                .isEmpty();
        api.cleanUp(child.id).expectProblem(409, "UNCERTAIN");
        Records.agree(api, child);
    }

    private void adopted(String point) {
        Api api = server.api();
        Child child = Child.untilTerm(server, 7);
        api.prepared(child.launch);
        dieAt(point, () -> assertThat(api.start(child.id).status()).isNotEqualTo(200));
        reconcileUntil(child, "running");
        assertThat(child.lives()).isTrue();
        assertThat(api.attempt(child.id).get("pid")).isEqualTo(child.pid());
        api.stop(child.id, "cooperative").expect(200);
        child.awaitGone();
        assertThat(child.lines("signals")).containsExactly("term");
        Records.exitedUnseen(api, child);
        Records.cleanUp(api, child);
        assertThat(child.starts()).hasSize(1);
    }

    private void exited(String point, boolean known) {
        Api api = server.api();
        Child child = Child.untilGo(server, 4);
        dieAt(point, () -> {
            child.start(api);
            child.go();
        });
        if (known) {
            Records.exitedWith(api, child, 4);
        } else {
            Records.exitedUnseen(api, child);
        }
        Records.cleanUp(api, child);
        assertThat(child.starts()).hasSize(1);
    }

    private void killedAtItsDeadline(String point) {
        Api api = server.api();
        Child child = new Child(
                server, "exec 2>/dev/null; trap 'echo term >> \"$D/signals\"' TERM; while :; do sleep 0.1; done");
        dieAt(point, () -> {
            child.start(api);
            child.pid();
            api.stop(child.id, "cooperative");
        });
        child.awaitGone();
        assertThat(child.lines("signals")).startsWith("term");
        Records.exitedUnseen(api, child);
        assertThat(api.evidenceKinds(child.id)).contains("signal.kill");
        Records.cleanUp(api, child);
    }

    private void fenced(String point) {
        Api api = server.api();
        Child child = Child.untilTerm(server, 7);
        dieAt(point, () -> {
            child.start(api);
            child.pid();
            assertThat(api.attach(child.id).status()).isNotEqualTo(200);
        });
        Await.until(
                "the adopted attempt is attached to", () -> api.attach(child.id).status() == 200);
        assertThat((Long) api.attempt(child.id).get("attachment_generation")).isGreaterThan(1);
        assertThat(child.lives()).isTrue();
        Records.endAndCleanUp(api, child);
        assertThat(child.starts()).hasSize(1);
    }

    private static void reconcileUntil(Child child, String state) {
        Api api = server.api();
        Await.until(child.id + " becomes " + state, () -> {
            api.reconcile(child.id);
            return state.equals(api.attempt(child.id).get("execution_state"));
        });
    }
}
