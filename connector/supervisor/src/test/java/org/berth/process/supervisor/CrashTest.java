package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.berth.placement.EvidenceKind;
import org.berth.placement.Exit;
import org.berth.placement.ProcessEvent;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.RunnerState;
import org.berth.placement.RunnerStatus;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.StopMode;
import org.berth.process.protocol.Frame;
import org.berth.process.supervisor.os.ProcTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CrashTest {
    @TempDir
    Path files;

    private final TestSupervisor supervisor = TestSupervisor.start();

    @AfterEach
    void end() {
        supervisor.close();
    }

    private SpawnOrder lasting(String then) {
        return Orderly.sh("exec > /dev/null 2>&1; trap '' TERM; echo up >> " + files.resolve("line")
                        + "; while test ! -e " + files.resolve("go") + "; do sleep 0.05; done; " + then)
                .order();
    }

    private void awaitLine() {
        Await.until("the child runs", () -> Files.exists(files.resolve("line")));
    }

    private void restart() {
        supervisor.kill();
        supervisor.launch(List.of());
    }

    private static boolean alive(ProcessIdentity identity) {
        return ProcTable.alive(identity.pid(), identity.startTicks());
    }

    @Test
    void aKilledSupervisorsChildIsAdoptedAndItsExitIsTrueOrUnknown() throws IOException {
        SpawnOrder order = lasting("exit 6");
        ProcessIdentity identity;
        String incarnation;
        try (TestClient client = supervisor.client()) {
            identity = client.started(order);
            incarnation = client.welcome.incarnation();
        }
        awaitLine();
        restart();
        try (TestClient client = supervisor.client()) {
            assertThat(client.welcome.incarnation()).isNotEqualTo(incarnation);
            client.subscribe();
            RunnerStatus status = client.status(order);
            assertThat(status.state()).isEqualTo(RunnerState.RUNNING);
            assertThat(status.identity()).isEqualTo(identity);
            assertThat(client.started(order)).isEqualTo(identity);
            client.event(order, EvidenceKind.CARRIER_REPLACED);
            assertThat(client.event(order, EvidenceKind.OUTPUT_LOST).detail()).containsEntry("bytes", "unknown");
            Files.createFile(files.resolve("go"));
            assertThat(client.exit(order))
                    .satisfiesAnyOf(
                            exit -> assertThat(exit).isEqualTo(new Exit.Exited(6)),
                            exit -> assertThat(exit).isInstanceOf(Exit.Unknown.class));
            assertThat(client.events)
                    .extracting(ProcessEvent::sequence)
                    .isSorted()
                    .doesNotHaveDuplicates();
        }
        assertThat(Files.readAllLines(files.resolve("line"))).hasSize(1);
    }

    @Test
    void aChildThatEndedMeanwhileHasAnUnknownExit() throws IOException {
        SpawnOrder order = lasting("exit 6");
        ProcessIdentity identity;
        try (TestClient client = supervisor.client()) {
            identity = client.started(order);
        }
        awaitLine();
        supervisor.kill();
        Files.createFile(files.resolve("go"));
        Await.until("the child ended", () -> !alive(identity));
        supervisor.launch(List.of());
        try (TestClient client = supervisor.client()) {
            client.subscribe();
            assertThat(client.exit(order)).isInstanceOf(Exit.Unknown.class);
            assertThat(client.status(order).state()).isEqualTo(RunnerState.EXITED);
        }
    }

    @Test
    void aStopGoesOnAfterARestart() {
        SpawnOrder order = lasting("exit 0");
        ProcessIdentity identity;
        try (TestClient client = supervisor.client()) {
            identity = client.started(order);
            awaitLine();
            client.stop(order, StopMode.COOPERATIVE, 2500);
        }
        restart();
        assertThat(alive(identity)).isTrue();
        Await.until("the grace ended in a kill", () -> !alive(identity));
        try (TestClient client = supervisor.client()) {
            client.subscribe();
            client.event(order, EvidenceKind.SIGNAL_KILL);
        }
    }

    @Test
    void aDamagedTailOfTheJournalIsPutAsideAndTheRestCounts() throws IOException {
        SpawnOrder order = lasting("exit 0");
        ProcessIdentity identity;
        try (TestClient client = supervisor.client()) {
            identity = client.started(order);
        }
        supervisor.kill();
        Path journal = supervisor.state().resolve("01234567.journal");
        Files.write(journal, new byte[] {0, 0, 0, 9, 1, 2, 3, 4, 5}, StandardOpenOption.APPEND);
        supervisor.launch(List.of());
        assertThat(supervisor.state().resolve("01234567.journal.damaged")).hasSize(9);
        try (TestClient client = supervisor.client()) {
            assertThat(client.status(order).identity()).isEqualTo(identity);
        }
    }

    @Test
    void eventsComeAgainUntilTheyAreRecordedAndAForgottenAttemptStaysForgotten() {
        SpawnOrder order = Orderly.sh("exit 2").retain(200).order();
        try (TestClient client = supervisor.client()) {
            client.subscribe();
            client.started(order);
            client.event(order, EvidenceKind.OUTPUT_LOST);
        }
        restart();
        try (TestClient client = supervisor.client()) {
            client.subscribe();
            assertThat(client.exit(order)).isEqualTo(new Exit.Exited(2));
            assertThat(client.events).extracting(ProcessEvent::sequence).startsWith(1L, 2L);
            client.tell(new Frame.Recorded(order.attemptKey(), client.events.size()));
            client.status(order);
        }
        try (TestClient client = supervisor.client()) {
            client.subscribe();
            assertThat(client.status(order).exit()).isEqualTo(new Exit.Exited(2));
            assertThat(client.events).isEmpty();
            client.ask(new Frame.Forget(order.attemptKey(), order.nonce()));
        }
        restart();
        try (TestClient client = supervisor.client()) {
            assertThat(client.ask(new Frame.QueryAll())).isEqualTo(new Frame.AllReply(List.of()));
            assertThat(client.spawn(order)).isInstanceOf(SpawnOutcome.Refused.class);
        }
    }

    private void relaunchWith(FaultPoint point) {
        supervisor.kill();
        supervisor.launch(List.of("-Dberth.fault=" + point.wire()));
    }

    private void awaitFault() {
        assertThat(supervisor.awaitEnd()).isEqualTo(FaultPoint.STATUS);
        supervisor.launch(List.of());
    }

    @ParameterizedTest
    @EnumSource(
            value = FaultPoint.class,
            names = {
                "BEFORE_SPAWNING_JOURNALLED",
                "AFTER_SPAWNING_JOURNALLED",
                "AFTER_SPAWN_BEFORE_SPAWNED_JOURNALLED",
                "AFTER_SPAWNED_JOURNALLED"
            })
    void aSpawnThatBrokeOffNeverRunsTwice(FaultPoint point) throws IOException {
        relaunchWith(point);
        SpawnOrder order = lasting("exit 0");
        try (TestClient client = supervisor.client()) {
            client.order(new Frame.Spawn(order));
            Await.until("the connection ended", () -> client.ended);
        }
        awaitFault();
        try (TestClient client = supervisor.client()) {
            RunnerState state = client.status(order).state();
            SpawnOutcome again = client.spawn(order);
            switch (point) {
                case BEFORE_SPAWNING_JOURNALLED -> {
                    assertThat(state).isEqualTo(RunnerState.NOT_STARTED);
                    assertThat(again).isInstanceOf(SpawnOutcome.Spawned.class);
                }
                case AFTER_SPAWNING_JOURNALLED -> {
                    assertThat(state).isEqualTo(RunnerState.UNCERTAIN);
                    assertThat(again).isInstanceOf(SpawnOutcome.Undecided.class);
                    assertThat(files.resolve("line")).doesNotExist();
                    return;
                }
                default -> {
                    assertThat(state).isEqualTo(RunnerState.RUNNING);
                    assertThat(again).isInstanceOf(SpawnOutcome.Spawned.class);
                }
            }
            awaitLine();
            client.subscribe();
            client.stop(order, StopMode.FORCED, 0);
            client.exit(order);
        }
        assertThat(Files.readAllLines(files.resolve("line"))).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = FaultPoint.class,
            names = {"BEFORE_EXIT_JOURNALLED", "AFTER_EXIT_JOURNALLED"})
    void anExitIsToldTrulyOrAsUnknown(FaultPoint point) {
        relaunchWith(point);
        SpawnOrder order = Orderly.sh("read line; exit 5").order();
        try (TestClient client = supervisor.client()) {
            client.started(order);
            client.order(new Frame.CloseStdin(order.attemptKey(), order.nonce()));
            Await.until("the connection ended", () -> client.ended);
        }
        awaitFault();
        try (TestClient client = supervisor.client()) {
            client.subscribe();
            Exit exit = client.exit(order);
            if (point == FaultPoint.AFTER_EXIT_JOURNALLED) {
                assertThat(exit).isEqualTo(new Exit.Exited(5));
            } else {
                assertThat(exit).isInstanceOf(Exit.Unknown.class);
            }
        }
    }

    @Test
    void aStopThatBrokeOffAfterItsFirstSignalStillKills() {
        relaunchWith(FaultPoint.STOP_BETWEEN_TERM_AND_KILL);
        SpawnOrder order = lasting("exit 0");
        ProcessIdentity identity;
        try (TestClient client = supervisor.client()) {
            identity = client.started(order);
            awaitLine();
            client.order(new Frame.Stop(order.attemptKey(), order.nonce(), StopMode.COOPERATIVE, 500, null));
            Await.until("the connection ended", () -> client.ended);
        }
        awaitFault();
        Await.until("the child was killed", Duration.ofSeconds(5), () -> !alive(identity));
    }

    @ParameterizedTest
    @EnumSource(
            value = FaultPoint.class,
            names = {"BEFORE_FENCE_JOURNALLED", "AFTER_FENCE_JOURNALLED"})
    void aGenerationIsInForceOnceItIsJournalled(FaultPoint point) {
        relaunchWith(point);
        SpawnOrder order = lasting("exit 0");
        try (TestClient client = supervisor.client()) {
            client.started(order);
            client.order(new Frame.Fence(order.attemptKey(), order.nonce(), 9));
            Await.until("the connection ended", () -> client.ended);
        }
        awaitFault();
        try (TestClient client = supervisor.client()) {
            assertThat(client.status(order).generation()).isEqualTo(point == FaultPoint.AFTER_FENCE_JOURNALLED ? 9 : 1);
        }
    }
}
