package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.FaultPauses;
import org.berth.acceptance.Proc;
import org.berth.acceptance.openshell.OpenShellEngine;
import org.berth.fault.FaultPoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The server killed at every fault point of every effect, on OpenShell's double and in the embedded driver: nothing is
 * sent twice, and nothing is claimed that was not observed. Each boot meets one death; a last one looks at them all. Where
 * the double's record of calls adds nothing, the embedded driver is used, whose launch is quick.
 */
class EffectFaultPointsIT {
    private static final int KILLED = 137;
    private static final Duration TURN = Duration.ofSeconds(60);

    private final List<Death> deaths = new ArrayList<>();
    private BerthServer server;
    private FaultPauses pauses;

    /** One effect that a death interrupted. */
    private record Death(
            FaultPoint point,
            EnvironmentWorld world,
            boolean local,
            String effect,
            OpenShellEngine engine,
            Bound bound) {
        String operation() {
            return world.id("effect-" + point.name().toLowerCase(Locale.ROOT));
        }

        Answer ask(String operation) {
            return world.effect(operation, effect, bound.generation(), engine == null ? null : engine.socket());
        }

        @Override
        public String toString() {
            return effect + (local ? " in the embedded driver" : " on the double") + " at " + point;
        }
    }

    /** @param nativeId null for what was not launched, as are the two others */
    private record Bound(String resourceId, String generation, String nativeId, String viewer) {}

    @BeforeEach
    void create() {
        server = BerthServer.create("effect-faults").withGuestListener();
        pauses = new FaultPauses(server);
    }

    @AfterEach
    void end() {
        deaths.forEach(death -> {
            death.world().openShell().end();
            if (death.engine() != null) {
                death.engine().close();
            }
        });
        String home = server.home() + "/environments/";
        server.close();
        ProcessHandle.allProcesses()
                .filter(each -> String.join(" ", Proc.arguments(each.pid())).contains(home))
                .forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void aKilledServerSendsNothingTwiceAndClaimsNothingUnobserved() {
        for (FaultPoint point : EnumSet.range(FaultPoint.EFFECT_INTENT, FaultPoint.EFFECT_RECORDED)) {
            reboot(pauses.option());
            hold(point, "close-viewer", true);
            hold(point, "stop-native", true);
            hold(point, "stop-compute", false);
            hold(point, "delete-owned", false);
            if (point == FaultPoint.EFFECT_CLAIMED || point == FaultPoint.EFFECT_DISPATCHED) {
                hold(point, "stop-native", false);
                hold(point, "delete-owned", true);
            }
            pauses.kill();
        }
        reboot();
        for (Death death : deaths) {
            death.world().select();
            look(death);
        }
    }

    @Test
    void aCreateThatMadeNothingIsGivenUpAndWhatEndsByItselfIsObserved() {
        EnvironmentWorld unmade = neverMade();
        reboot();
        assertThat(unmade.create().expect(202).text("code")).isEqualTo("environment_create_unconfirmed");
        unbind(unmade).expectProblem(409, "environment_create_unconfirmed");
        theEndOfAnEnvironmentAndOfTheSupervisorBetween();
        unmade.select();
        Await.until(
                "what was never made is given up", TURN, () -> unbind(unmade).status() == 200);
        assertThat(unmade.openShell().calls("create")).isZero();
        unmade.post("/api/environments/create", unmade.input(unmade.id("create-two")))
                .expect(201);
        unmade.openShell().end();
    }

    /** A create whose server died between its claim and its effect. */
    private EnvironmentWorld neverMade() {
        reboot("-Dberth.fault=" + FaultPoint.CREATE_CLAIMED.name());
        EnvironmentWorld world = new EnvironmentWorld(server);
        die(FaultPoint.CREATE_CLAIMED.name(), world::create);
        return world;
    }

    /** One more effect that waits at {@code point} for the server's death. */
    private void hold(FaultPoint point, String effect, boolean local) {
        EnvironmentWorld world = new EnvironmentWorld(server);
        OpenShellEngine engine = null;
        if (!local && effect.equals("delete-owned")) {
            engine = new OpenShellEngine(world.openShell());
            server.give(engine.socket());
        }
        boolean launched = effect.equals("stop-native") || effect.equals("close-viewer");
        Death death = new Death(point, world, local, effect, engine, bound(world, local, launched));
        pauses.hold(point, () -> death.ask(death.operation()));
        deaths.add(death);
    }

    private static Bound bound(EnvironmentWorld world, boolean local, boolean launched) {
        String operation = world.id("create-one");
        String id = world.post("/api/environments/create", local ? world.local(operation) : world.input(operation))
                .expect(201)
                .text("resource", "id");
        if (!launched) {
            return new Bound(id, null, null, null);
        }
        Map<String, Object> up = world.up();
        assertThat(up).as("%s", up).containsEntry("status", "up");
        return new Bound(id, (String) up.get("generation"), (String) up.get("nativeId"), (String) up.get("viewer"));
    }

    private void look(Death death) {
        String operation = death.operation();
        boolean recorded = death.point() == FaultPoint.EFFECT_RECORDED;
        Map<String, Object> journalled = death.world().operation(operation);
        assertThat(journalled.get("receipt") != null)
                .as("a receipt of %s", death)
                .isEqualTo(recorded);
        assertThat(journalled)
                .as("%s", death)
                .containsEntry(
                        "state",
                        recorded ? "confirmed" : death.point() == FaultPoint.EFFECT_INTENT ? "intent" : "requested");

        Answer again = death.ask(operation).expect(200);
        if (death.point() == FaultPoint.EFFECT_CLAIMED && !death.effect().equals("close-viewer")) {
            assertThat(again.text("state")).as("%s", death).isEqualTo("pending");
            assertThat(sent(death)).as("%s", death).isZero();
            again = death.ask(operation + "-anew").expect(200);
        }
        assertThat(again.text("state")).as("%s: %s", death, again.text()).isEqualTo("confirmed");
        assertThat(sent(death)).as("how often %s was sent", death).isEqualTo(death.local() ? 0 : expected(death));
        ended(death);
    }

    private static long expected(Death death) {
        return death.effect().equals("close-viewer") ? 0 : 1;
    }

    /** How often the double was asked for the effect; the embedded driver is seen by what is left. */
    private static long sent(Death death) {
        return switch (death.effect()) {
            case "stop-native" -> death.world().openShell().helperCalls("--stop-native");
            case "stop-compute" -> death.world().openShell().calls("stop");
            case "delete-owned" -> death.world().openShell().calls("delete");
            default -> 0;
        };
    }

    private void ended(Death death) {
        switch (death.effect()) {
            case "close-viewer" -> {
                assertThat(state(death.bound().viewer())).as("%s", death).isEqualTo("exited");
                assertThat(natives(death)).as("%s", death).isNotEmpty();
            }
            case "stop-native" -> {
                assertThat(natives(death)).as("%s", death).isEmpty();
                assertThat(phase(death)).as("%s", death).isEqualTo("Ready");
            }
            case "stop-compute" -> assertThat(phase(death)).as("%s", death).isEqualTo("Stopped");
            default -> {
                assertThat(death.world().openShell().sandboxes())
                        .as("%s", death)
                        .isZero();
                if (death.local()) {
                    assertThat(server.home()
                                    .resolve("environments")
                                    .resolve(death.bound().resourceId().replace("-", "")))
                            .as("%s", death)
                            .doesNotExist();
                }
                unbind(death.world()).expect(200);
            }
        }
    }

    /** What ends by itself is observed; what cannot be observed is not claimed. */
    private void theEndOfAnEnvironmentAndOfTheSupervisorBetween() {
        EnvironmentWorld world = new EnvironmentWorld(server);
        Bound bound = bound(world, true, true);
        server.killSupervisor();
        Await.until(
                "the native is stopped under the next supervisor",
                TURN,
                () -> "confirmed"
                        .equals(world.effect(world.id("stop"), "stop-native", bound.generation())
                                .json()
                                .get("state")));

        String key = bound.resourceId().replace("-", "");
        inits(key).forEach(init -> ProcessHandle.of(init).ifPresent(ProcessHandle::destroyForcibly));
        Await.until(
                "the environment is gone",
                TURN,
                () -> "Stopped"
                        .equals(world.get("/api/environments/" + world.binding() + "?live=true")
                                .expect(200)
                                .text("resource", "phase")));
        world.effect(world.id("stop-two"), "stop-native", bound.generation())
                .expectProblem(409, "environment_not_ready");
        assertThat(world.effect(world.id("stop-compute"), "stop-compute", bound.generation())
                        .expect(200)
                        .text("state"))
                .isEqualTo("confirmed");
        assertThat(world.effect(world.id("delete"), "delete-owned", bound.generation())
                        .expect(200)
                        .text("state"))
                .isEqualTo("confirmed");
        assertThat(server.home().resolve("environments").resolve(key)).doesNotExist();
        world.openShell().end();
    }

    /** The processes of this environment, whose command lines name its directory; with them all below ends. */
    private static List<Long> inits(String key) {
        return ProcessHandle.allProcesses()
                .filter(each -> String.join(" ", Proc.arguments(each.pid())).contains("/environments/" + key))
                .flatMap(each -> Stream.concat(Stream.of(each), each.descendants()))
                .map(ProcessHandle::pid)
                .toList();
    }

    private static List<Long> natives(Death death) {
        return Proc.all().stream()
                .filter(pid -> Proc.arguments(pid).contains(death.bound().nativeId()) && Proc.lives(pid))
                .toList();
    }

    private String state(String attempt) {
        return server.api()
                .get("/api/placement/attempts/" + attempt)
                .expect(200)
                .text("attempt", "execution_state");
    }

    private static String phase(Death death) {
        return death.world()
                .get("/api/environments/" + death.world().binding() + "?live=true")
                .expect(200)
                .text("resource", "phase");
    }

    private static Answer unbind(EnvironmentWorld world) {
        return Api.send(world.server()
                .api()
                .request("/api/environments/" + world.binding())
                .header("X-OpenRig-Session", world.coordinator())
                .DELETE()
                .build());
    }

    private void reboot(String... options) {
        if (server.runs()) {
            server.kill9();
        }
        server.javaOptions(options).start();
    }

    private void die(String what, Runnable operation) {
        try {
            operation.run();
        } catch (UncheckedIOException cut) {
            assertThat(cut).as(what).hasMessageContaining("/api/");
        }
        assertThat(server.awaitEnd()).as("the server's status: %s", what).isEqualTo(KILLED);
    }
}
