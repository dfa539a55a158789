package org.berth.acceptance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.berth.acceptance.Api;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.FaultPauses;
import org.berth.fault.FaultPoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The server dies at every fault point: killed while one operation waits at each point that a request comes to, and by
 * itself at those that only its recovery comes to. The points of environments have suites of their own.
 */
class ServerFaultPointsIT {
    private static final int KILLED = 137;

    private static BerthServer server;
    private static FaultPauses pauses;
    private final Set<FaultPoint> hit = EnumSet.noneOf(FaultPoint.class);

    @BeforeAll
    static void create() {
        server = BerthServer.create("server-faults");
        pauses = new FaultPauses(server);
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @Test
    void everyPointLeavesWhatTheTablesAllow() {
        server.javaOptions(pauses.option()).start();
        Child claimed = heldAtStart(FaultPoint.START_CLAIMED);
        Child housed = heldAtStart(FaultPoint.START_HOME_CREATED);
        Child unsent = heldAtStart(FaultPoint.START_BEFORE_SPAWN);
        Child spawned = heldAtStart(FaultPoint.START_SPAWNED);
        Child recorded = heldAtStart(FaultPoint.START_RECORDED);
        Child stopped = Child.untilTerm(server, 7).start(server.api());
        stopped.pid();
        Child ended = Child.untilGo(server, 3).start(server.api());
        ended.pid();
        hold(FaultPoint.STOP_RECORDED, api -> api.stop(stopped.id, "cooperative"));
        pauses.kill();
        assertThat(stopped.lives()).isTrue();
        assertThat(stopped.lines("signals")).isEmpty();

        // The recovery of each of these boots meets the point by itself.
        dieAtBoot(FaultPoint.STOP_ORDERED);
        stopped.awaitGone();
        // An event that the next servers have to take, whatever this one took of the stop's.
        ended.go();
        ended.awaitGone();
        dieAtBoot(FaultPoint.EVENT_BEFORE_COMMIT);
        dieAtBoot(FaultPoint.EVENT_COMMITTED);

        server.javaOptions(pauses.option()).start();
        notStarted(claimed);
        notStarted(housed);
        notStarted(unsent);
        running(spawned);
        running(recorded);
        Records.exitedWith(server.api(), stopped, 7);
        assertThat(stopped.lines("signals")).containsExactly("term");
        assertThat(server.api().evidenceKinds(stopped.id)).containsOnlyOnce("stop.requested", "signal.term");

        Records.exitedWith(server.api(), ended, 3);
        Records.cleanUp(server.api(), ended);

        for (Child each : List.of(spawned, recorded)) {
            server.api().stop(each.id, "cooperative").expect(200);
            Records.exitedWith(server.api(), each, 7);
        }
        hold(FaultPoint.CLEANUP_PROVEN, api -> api.cleanUp(stopped.id));
        hold(FaultPoint.CLEANUP_HOME_REMOVED, api -> api.cleanUp(spawned.id));
        hold(FaultPoint.CLEANUP_RECORDED, api -> api.cleanUp(recorded.id));
        pauses.kill();

        server.javaOptions().start();
        assertThat(cleanup(stopped)).isEqualTo("pending");
        assertThat(cleanup(spawned)).isEqualTo("pending");
        assertThat(cleanup(recorded)).isEqualTo("complete");
        for (Child each : List.of(stopped, spawned, recorded)) {
            Records.cleanUp(server.api(), each);
            Records.agree(server.api(), each);
        }
        assertThat(hit)
                .containsExactlyInAnyOrderElementsOf(
                        EnumSet.range(FaultPoint.START_CLAIMED, FaultPoint.CLEANUP_RECORDED));
        assertThat(server.children()).isEmpty();
    }

    private Child heldAtStart(FaultPoint point) {
        Child child = Child.untilTerm(server, 7);
        server.api().prepared(child.launch);
        hold(point, api -> api.start(child.id));
        return child;
    }

    private interface Operation {
        void on(Api api);
    }

    private void hold(FaultPoint point, Operation operation) {
        Api api = server.api();
        pauses.hold(point, () -> operation.on(api));
        hit.add(point);
    }

    private void dieAtBoot(FaultPoint point) {
        server.javaOptions("-Dberth.fault=" + point.name()).launch();
        assertThat(server.awaitEnd()).as("the server's status at %s", point).isEqualTo(KILLED);
        hit.add(point);
    }

    private static Object cleanup(Child child) {
        return server.api().attempt(child.id).get("cleanup_state");
    }

    private static void notStarted(Child child) {
        Api api = server.api();
        api.awaitState(child.id, "exited");
        assertThat(child.starts()).as("starts of %s", child.id).isEmpty();
        assertThat(api.evidenceKinds(child.id)).contains("child.not_started");
        Records.cleanUp(api, child);
    }

    private static void running(Child child) {
        Api api = server.api();
        api.awaitState(child.id, "running");
        assertThat(child.lives()).isTrue();
        assertThat(api.attempt(child.id).get("pid")).isEqualTo(child.pid());
        api.start(child.id).expect(200);
        assertThat(child.starts()).hasSize(1);
        Records.agree(api, child);
    }
}
