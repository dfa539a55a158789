package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.acceptance.BerthServer;
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
    private static final int KILLED = 137;

    /** Neighbours are of different operations; null is a boot without a point, in which only the last world is looked at. */
    private static final List<FaultPoint> ORDER = Arrays.asList(
            FaultPoint.RECREATE_INTENT,
            FaultPoint.RESTORE_CLAIMED,
            FaultPoint.RECREATE_CLAIMED,
            FaultPoint.RESTORE_STAGED,
            FaultPoint.RECREATE_CREATED,
            null,
            FaultPoint.RECREATE_INVENTORY,
            null,
            FaultPoint.RECREATE_RECORDED,
            null);

    private static BerthServer server;
    private final List<RestoreWorld> worlds = new ArrayList<>();

    @BeforeAll
    static void create() {
        server = BerthServer.create("recreate-deaths").withGuestListener();
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
        Set<FaultPoint> hit = EnumSet.noneOf(FaultPoint.class);
        Runnable look = () -> {};
        for (FaultPoint point : ORDER) {
            if (server.runs()) {
                server.kill9();
            }
            server.javaOptions(point == null ? new String[0] : new String[] {"-Dberth.fault=" + point.name()});
            server.start();
            look.run();
            look = point == null ? () -> {} : died(point);
            if (point != null) {
                hit.add(point);
            }
        }
        assertThat(hit)
                .containsExactlyInAnyOrderElementsOf(
                        EnumSet.range(FaultPoint.RECREATE_INTENT, FaultPoint.RESTORE_STAGED));
    }

    private Runnable died(FaultPoint point) throws Exception {
        RestoreWorld world = new RestoreWorld(server);
        worlds.add(world);
        if (point.name().startsWith("RECREATE")) {
            world.deleted();
            die(point, world::recreate);
            return () -> recreatedOnce(point, world);
        }
        world.recreated();
        byte[] kept = Files.readAllBytes(world.kept());
        die(point, world::restore);
        return () -> restoredOnce(point, world, kept);
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

    private static void die(FaultPoint point, Runnable operation) {
        try {
            operation.run();
        } catch (java.io.UncheckedIOException cut) {
            assertThat(cut).as("the answer at %s", point).hasMessageContaining("/api/");
        }
        assertThat(server.awaitEnd()).as("the server's status at %s", point).isEqualTo(KILLED);
    }
}
