package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.FaultPauses;
import org.berth.fault.FaultPoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The server killed at every fault point of a recreation and of a restore: never a second successor, a second native or
 * another conversation.
 */
class RecreateFaultPointsIT {
    private static BerthServer server;
    private static FaultPauses pauses;
    private final List<RestoreWorld> worlds = new ArrayList<>();

    @BeforeAll
    static void create() {
        server = BerthServer.create("recreate-deaths").withGuestListener();
        pauses = new FaultPauses(server);
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @AfterEach
    void endNatives() {
        worlds.forEach(RestoreWorld::close);
    }

    @Test
    void aKilledServerLeavesOneSuccessorAndOneConversationAtEveryPoint() throws Exception {
        Map<FaultPoint, Runnable> looks = new EnumMap<>(FaultPoint.class);
        server.javaOptions(pauses.option()).start();
        for (FaultPoint point : EnumSet.range(FaultPoint.RECREATE_INTENT, FaultPoint.RESTORE_STAGED)) {
            looks.put(point, held(point));
        }
        pauses.kill();
        server.javaOptions().start();
        for (Runnable look : looks.values()) {
            look.run();
        }
    }

    /** An operation that waits at {@code point} for the server's death; the look under the next boot. */
    private Runnable held(FaultPoint point) throws Exception {
        RestoreWorld world = new RestoreWorld(server);
        worlds.add(world);
        if (point.name().startsWith("RECREATE")) {
            world.deleted();
            pauses.hold(point, world::recreate);
            return () -> {
                world.world().select();
                recreatedOnce(point, world);
            };
        }
        world.recreated();
        byte[] kept = Files.readAllBytes(world.kept());
        pauses.hold(point, world::restore);
        return () -> {
            world.world().select();
            restoredOnce(point, world, kept);
        };
    }

    private static void recreatedOnce(FaultPoint point, RestoreWorld world) {
        Map<String, Object> again = world.recreate().expect(200).json();
        if (point == FaultPoint.RECREATE_CLAIMED) {
            // Whether the provider was asked is not known to the server: it waits, and asks nobody again.
            assertThat(again).containsEntry("state", "unconfirmed");
            assertThat(world.world().openShell().sandboxes()).isZero();
            assertThat(world.world().openShell().calls("create")).isEqualTo(1);
            return;
        }
        assertThat(again).as("after %s", point).containsEntry("state", "confirmed");
        assertThat(world.world().openShell().sandboxes()).isEqualTo(1);
        assertThat(world.world().openShell().calls("create")).isEqualTo(2);
        assertThat(world.recreate().expect(200).json()).isEqualTo(again);
    }

    private static void restoredOnce(FaultPoint point, RestoreWorld world, byte[] kept) {
        Map<String, Object> row = world.restore();
        assertThat(row)
                .as("after %s: %s", point, row)
                .containsEntry("status", "resumed")
                .containsEntry("nativeId", world.nativeId());
        world.awaitResumed();
        assertThat(BerthServer.read(world.history()))
                .startsWith(new String(kept, java.nio.charset.StandardCharsets.UTF_8));
        assertThat(BerthServer.read(world.history()).split("\"go on\"", -1)).hasSize(2);
        assertThat(world.world().openShell().helperCalls("--prepare")).isEqualTo(2);
    }
}
