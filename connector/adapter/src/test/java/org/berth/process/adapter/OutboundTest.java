package org.berth.process.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.process.adapter.AdapterFixture.await;
import static org.berth.process.adapter.AdapterFixture.get;
import static org.berth.process.adapter.AdapterFixture.problem;
import static org.berth.process.adapter.AdapterFixture.spawn;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.StopMode;
import org.berth.problem.ProblemCode;
import org.berth.process.adapter.AdapterStatistics.Counter;
import org.berth.process.protocol.Frame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboundTest {
    @TempDir
    Path root;

    private AdapterFixture fixture;

    @BeforeEach
    void prepare() throws Exception {
        fixture = new AdapterFixture(root);
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void launchesRefusalsStopsAndInputAreCounted() throws Exception {
        try (FakeSupervisor supervisor = fixture.ownSupervisor()) {
            fixture.startConnected(1);
            for (int i = 0; i < 3; i++) {
                assertThat(get(fixture.processes().spawn(spawn("a" + i)))).isInstanceOf(SpawnOutcome.Spawned.class);
            }
            get(fixture.processes().stop("a1", "n", StopMode.FORCED, 0, null));
            get(fixture.processes().write("a2", "n", 1, "w", new byte[5]));
            supervisor.on(
                    Frame.Spawn.class,
                    (c, order) -> new Frame.SpawnReply(new SpawnOutcome.Refused(SpawnOutcome.Reason.SYSTEM, "no")));
            get(fixture.processes().spawn(spawn("b")));

            assertThat(fixture.counted(Counter.LAUNCHES)).isEqualTo(3);
            assertThat(fixture.counted(Counter.REFUSED)).isEqualTo(1);
            assertThat(fixture.counted(Counter.STOPS)).isEqualTo(1);
            assertThat(fixture.counted(Counter.INPUT_BYTES)).isEqualTo(5);
            assertThat(fixture.counted(Counter.ATTEMPTS)).isEqualTo(3);
            assertThat(fixture.counted(Counter.SUPERVISORS)).isEqualTo(1);
        }
    }

    @Test
    void anOrderWhoseReplyIsLostIsUncertainAndTheAdapterConnectsAgain() throws Exception {
        try (FakeSupervisor supervisor = fixture.ownSupervisor()) {
            supervisor.on(Frame.Spawn.class, (connection, order) -> {
                connection.close();
                return FakeSupervisor.SILENCE;
            });
            fixture.startConnected(1);

            assertThat(problem(fixture.processes().spawn(spawn("a")))).isEqualTo(ProblemCode.UNCERTAIN);

            await("reconnected", () -> fixture.counted(Counter.RECONNECTS) == 1);
            assertThat(fixture.processes().supervisors()).hasSize(1);
        }
    }

    @Test
    void anOrderThatIsNotAnsweredInTimeIsUncertain() throws Exception {
        fixture.adapter.setRequestMillis(200);
        try (FakeSupervisor supervisor = fixture.ownSupervisor()) {
            supervisor.on(Frame.Spawn.class, (c, order) -> FakeSupervisor.SILENCE);
            fixture.startConnected(1);
            assertThat(problem(fixture.processes().spawn(spawn("a")))).isEqualTo(ProblemCode.UNCERTAIN);
        }
    }

    @Test
    void aQuestionWhoseReplyIsLostMayBeAskedAgain() throws Exception {
        try (FakeSupervisor supervisor = fixture.ownSupervisor()) {
            supervisor.on(Frame.QueryStatus.class, (connection, order) -> {
                connection.close();
                return FakeSupervisor.SILENCE;
            });
            fixture.startConnected(1);
            assertThat(problem(fixture.processes().status("a", "n", null))).isEqualTo(ProblemCode.UNAVAILABLE);
        }
    }

    @Test
    void withoutASupervisorNothingIsSent() throws Exception {
        fixture.start();
        assertThat(problem(fixture.processes().spawn(spawn("a")))).isEqualTo(ProblemCode.UNAVAILABLE);
        assertThat(problem(fixture.processes().list())).isEqualTo(ProblemCode.UNAVAILABLE);
    }

    @Test
    void aProblemOfTheSupervisorKeepsItsCode() throws Exception {
        try (FakeSupervisor supervisor = fixture.ownSupervisor()) {
            fixture.startConnected(1);
            assertThat(supervisor.accepted()).isEqualTo(1);
            assertThat(problem(fixture.processes().measure("/nothing"))).isEqualTo(ProblemCode.NOT_FOUND);
        }
    }

    @Test
    void anOlderSupervisorServesItsAttemptsAndTakesNoNewOnes() throws Exception {
        try (FakeSupervisor own = fixture.ownSupervisor();
                FakeSupervisor older = new FakeSupervisor(fixture.socket("0000aaaa"), "older")) {
            older.knows("old");
            fixture.startConnected(2);

            get(fixture.processes().stop("old", "n", StopMode.FORCED, 0, null));
            get(fixture.processes().spawn(spawn("new")));

            await("retired", () -> !older.received(Frame.Retire.class).isEmpty());
            assertThat(older.received(Frame.Stop.class)).hasSize(1);
            assertThat(older.received(Frame.Spawn.class)).isEmpty();
            assertThat(own.received(Frame.Spawn.class)).hasSize(1);
            assertThat(own.received(Frame.Retire.class)).isEmpty();
            assertThat(get(fixture.processes().list())).hasSize(2);
        }
    }

    @Test
    void aDeadSocketOfAnOlderBuildIsRemoved() throws Exception {
        new FakeSupervisor(fixture.socket("0000aaaa"), "older").die();
        assertThat(fixture.socket("0000aaaa")).exists();
        try (FakeSupervisor own = fixture.ownSupervisor()) {
            fixture.startConnected(1);
            await("removed", () -> !Files.exists(fixture.socket("0000aaaa")));
            assertThat(get(fixture.processes().list())).isEmpty();
            assertThat(own.accepted()).isEqualTo(1);
        }
    }

    @Test
    void whileAnOlderSupervisorIsAwayItsAttemptsAreNotAnsweredForByOurs() throws Exception {
        try (FakeSupervisor own = fixture.ownSupervisor();
                FakeSupervisor older = new FakeSupervisor(fixture.socket("0000aaaa"), "older")) {
            older.knows("old");
            fixture.startConnected(2);
            older.on(Frame.Hello.class, (c, order) -> FakeSupervisor.SILENCE);
            older.dropConnections();
            await("lost", () -> fixture.processes().supervisors().size() == 1);

            CompletionStage<?> status = fixture.processes().status("old", "n", null);
            assertThat(problem(status)).isEqualTo(ProblemCode.UNAVAILABLE);
            assertThat(own.received(Frame.QueryStatus.class)).isEmpty();
        }
    }

    @Test
    void aMissingSupervisorIsStartedFromAPrivateCopyWithAScrubbedEnvironment() throws Exception {
        fixture.start();
        await("started", () -> Files.exists(fixture.launched));
        try (FakeSupervisor supervisor = fixture.ownSupervisor()) {
            await("connected", () -> fixture.processes().supervisors().size() == 1);
            assertThat(supervisor.accepted()).isPositive();
            fixture.close();
        }

        String build = SupervisorDistribution.digest(fixture.distribution);
        Path copy = root.resolve("home/supervisor").toRealPath().resolve(build);
        assertThat(Files.getPosixFilePermissions(copy)).hasSize(3);
        assertThat(SupervisorDistribution.digest(copy)).isEqualTo(build);
        assertThat(Files.readAllLines(fixture.launched))
                .contains(copy.toString(), "LANG=C.UTF-8", "@java.args", "--socket-dir", "--state", build)
                .containsSubsequence(
                        "--instance", "--build", build, "--chunk-bytes", "16384", "--spool-bytes", "262144")
                .containsSubsequence("--outstanding", "16", "--fence-ms", "2000", "--takeover-ms", "3000")
                .noneMatch(line -> line.startsWith("JAVA_HOME=") || line.startsWith("LC_") || line.startsWith("MAVEN"));
    }
}
