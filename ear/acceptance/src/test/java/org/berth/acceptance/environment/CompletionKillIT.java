package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.berth.fault.FaultPoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The server is killed at every point of a completion: its stop is sent once, and nothing is claimed that was not seen. */
class CompletionKillIT {
    private static final int KILLED = 137;

    /** Longer than the time between two observations of one completion. */
    private static final Duration NEXT_OBSERVATION = Duration.ofSeconds(90);

    private static BerthServer server;
    private final Map<FaultPoint, CompletionWorld> worlds = new LinkedHashMap<>();

    @BeforeAll
    static void create() {
        server = BerthServer.create("completion-kill");
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @AfterEach
    void putBack() {
        worlds.values().forEach(CompletionWorld::close);
    }

    @Test
    void theStopIsSentOnceWhereverTheServerDies() {
        for (FaultPoint point : new FaultPoint[] {
            FaultPoint.COMPLETION_SELECTED,
            FaultPoint.COMPLETION_STAMPED,
            FaultPoint.EFFECT_CLAIMED,
            FaultPoint.EFFECT_DISPATCHED,
            FaultPoint.COMPLETION_STOPPED,
            FaultPoint.COMPLETION_RECORDED
        }) {
            die(point);
        }
        server.javaOptions().start();

        worlds.forEach((point, world) -> {
            world.present();
            if (point == FaultPoint.COMPLETION_SELECTED) {
                assertThat(world.select("stop-compute").expect(200).text("waitingFor"))
                        .isEqualTo("export-missing");
                world.publish();
            } else {
                awaitNextObservation(world);
                world.check();
            }
            if (point == FaultPoint.EFFECT_CLAIMED) {
                // Whether it was sent is not known to the server: nobody sends it again, nobody says that it happened.
                assertThat(world.stopsOfCompute()).isZero();
                assertThat(world.stop()).containsEntry("state", "requested");
                assertThat(world.operation()).containsEntry("state", "requested");
            } else {
                world.awaitConfirmed();
                assertThat(world.stopsOfCompute()).as("stops after %s", point).isEqualTo(1);
                assertThat(world.stop()).as("after %s", point).containsEntry("state", "confirmed");
            }
        });
    }

    private static void awaitNextObservation(CompletionWorld world) {
        long last = ((Number) Json.at(world.operation(), "receipt", "lastAttemptAt")).longValue();
        Await.until("a minute is over", NEXT_OBSERVATION, () -> System.currentTimeMillis() > last + 60_000);
    }

    private void die(FaultPoint point) {
        server.javaOptions("-Dberth.fault=" + point.name()).start();
        CompletionWorld world = new CompletionWorld(server).projected();
        worlds.put(point, world);
        try {
            if (point == FaultPoint.COMPLETION_SELECTED) {
                world.done();
                world.select("stop-compute");
            } else {
                world.select("stop-compute").expect(200);
                world.publish();
                world.done();
            }
        } catch (UncheckedIOException cut) {
            assertThat(cut).as("the answer at %s", point).hasMessageContaining("/api/");
        }
        assertThat(server.awaitEnd()).as("the server's status at %s", point).isEqualTo(KILLED);
        // What follows must not meet this completion again before the end: its result is away.
        world.hide();
    }
}
