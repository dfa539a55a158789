package org.berth.acceptance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.Set;
import org.berth.acceptance.Api;
import org.berth.acceptance.BerthServer;
import org.berth.fault.FaultPoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * The server dies at every fault point, each time with the next point chosen for the boot that follows; so one boot
 * looks at what the death before left and goes into the next. The points of environments have a suite of their own.
 */
class ServerFaultPointsIT {
    private static final int KILLED = 137;

    private final BerthServer server = BerthServer.create("server-faults");
    private final Set<FaultPoint> hit = EnumSet.noneOf(FaultPoint.class);
    private static BerthServer last;

    @AfterAll
    static void end() {
        last.close();
    }

    @Test
    void everyPointLeavesWhatTheTablesAllow() {
        last = server;
        // Each boot first sees what the one before it left.
        Child claimed = dieAtStart(FaultPoint.START_CLAIMED, () -> {});
        Child housed = dieAtStart(FaultPoint.START_HOME_CREATED, () -> notStarted(claimed));
        Child unsent = dieAtStart(FaultPoint.START_BEFORE_SPAWN, () -> notStarted(housed));
        Child spawned = dieAtStart(FaultPoint.START_SPAWNED, () -> notStarted(unsent));
        Child recorded = dieAtStart(FaultPoint.START_RECORDED, () -> {
            running(spawned);
            Records.endAndCleanUp(server.api(), spawned);
        });

        boot(FaultPoint.CLEANUP_PROVEN);
        running(recorded);
        server.api().stop(recorded.id, "cooperative").expect(200);
        Records.exitedWith(server.api(), recorded, 7);
        dieAt(FaultPoint.CLEANUP_PROVEN, api -> api.cleanUp(recorded.id));
        boot(FaultPoint.CLEANUP_HOME_REMOVED);
        assertThat(server.api().attempt(recorded.id)).containsEntry("cleanup_state", "pending");
        dieAt(FaultPoint.CLEANUP_HOME_REMOVED, api -> api.cleanUp(recorded.id));
        boot(FaultPoint.CLEANUP_RECORDED);
        assertThat(server.api().attempt(recorded.id)).containsEntry("cleanup_state", "pending");
        dieAt(FaultPoint.CLEANUP_RECORDED, api -> api.cleanUp(recorded.id));

        boot(FaultPoint.STOP_RECORDED);
        assertThat(server.api().attempt(recorded.id)).containsEntry("cleanup_state", "complete");
        Records.agree(server.api(), recorded);
        Child stopped = Child.untilTerm(server, 7).start(server.api());
        stopped.pid();
        dieAt(FaultPoint.STOP_RECORDED, api -> api.stop(stopped.id, "cooperative"));
        assertThat(stopped.lives()).isTrue();
        assertThat(stopped.lines("signals")).isEmpty();

        // The recovery of each of these boots meets the point by itself.
        dieAtBoot(FaultPoint.STOP_ORDERED);
        stopped.awaitGone();
        dieAtBoot(FaultPoint.EVENT_BEFORE_COMMIT);
        dieAtBoot(FaultPoint.EVENT_COMMITTED);
        server.javaOptions().start();
        Records.exitedWith(server.api(), stopped, 7);
        assertThat(stopped.lines("signals")).containsExactly("term");
        assertThat(server.api().evidenceKinds(stopped.id)).containsOnlyOnce("stop.requested", "signal.term");
        Records.cleanUp(server.api(), stopped);

        assertThat(hit)
                .containsExactlyInAnyOrderElementsOf(
                        EnumSet.range(FaultPoint.START_CLAIMED, FaultPoint.CLEANUP_RECORDED));
        assertThat(server.children()).isEmpty();
    }

    private void boot(FaultPoint point) {
        server.javaOptions("-Dberth.fault=" + point.name()).start();
    }

    private Child dieAtStart(FaultPoint point, Runnable before) {
        boot(point);
        before.run();
        Child child = Child.untilTerm(server, 7);
        server.api().prepared(child.launch);
        dieAt(point, api -> api.start(child.id));
        return child;
    }

    private interface Operation {
        void on(Api api);
    }

    private void dieAt(FaultPoint point, Operation operation) {
        try {
            operation.on(server.api());
        } catch (UncheckedIOException cut) {
            assertThat(cut).as("the answer at %s", point).hasMessageContaining("/attempts/");
        }
        died(point);
    }

    private void dieAtBoot(FaultPoint point) {
        server.javaOptions("-Dberth.fault=" + point.name()).launch();
        died(point);
    }

    private void died(FaultPoint point) {
        assertThat(server.awaitEnd()).as("the server's status at %s", point).isEqualTo(KILLED);
        hit.add(point);
    }

    private void notStarted(Child child) {
        Api api = server.api();
        api.awaitState(child.id, "exited");
        assertThat(child.starts()).as("starts of %s", child.id).isEmpty();
        assertThat(api.evidenceKinds(child.id)).contains("child.not_started");
        Records.cleanUp(api, child);
    }

    private void running(Child child) {
        Api api = server.api();
        api.awaitState(child.id, "running");
        assertThat(child.lives()).isTrue();
        assertThat(api.attempt(child.id).get("pid")).isEqualTo(child.pid());
        api.start(child.id).expect(200);
        assertThat(child.starts()).hasSize(1);
        Records.agree(api, child);
    }
}
