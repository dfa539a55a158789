package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.berth.placement.Exit;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.RunnerState;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.StopMode;
import org.berth.process.protocol.Frame;
import org.berth.process.supervisor.os.ProcTable;
import org.junit.jupiter.api.Test;

class StartTest {
    private static String mode(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void onlyOneOfABuildRunsAndEveryFileIsPrivate() throws Exception {
        try (TestSupervisor supervisor = TestSupervisor.start()) {
            Process second = supervisor.startProcess(List.of());
            assertThat(second.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(second.exitValue()).isEqualTo(Supervisor.ALREADY_RUNNING);
            assertThat(supervisor.output()).contains("01234567.lock is held by a running supervisor");
            assertThat(mode(supervisor.state())).isEqualTo("rwx------");
            assertThat(mode(supervisor.socket().getParent())).isEqualTo("rwx------");
            assertThat(mode(supervisor.socket())).isEqualTo("rw-------");
            try (Stream<Path> files = Files.list(supervisor.state())) {
                assertThat(files).isNotEmpty().allMatch(file -> mode(file).equals("rw-------"));
            }
            assertThat(Files.readString(supervisor.state().resolve("01234567.lock")))
                    .contains("socket=" + supervisor.socket(), "pid=" + supervisor.pid());
        }
    }

    @Test
    void aSocketDirectoryThatOthersMayChangeIsRefusedByName() throws Exception {
        try (TestSupervisor supervisor = TestSupervisor.start()) {
            Path run = supervisor.socket().getParent();
            supervisor.kill();
            Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxrwx---"));
            assertRefused(supervisor, run + " may be written by others (mode 770); run: chmod 700 " + run);
            Path elsewhere = Files.createDirectory(supervisor.root().resolve("elsewhere"));
            Files.delete(supervisor.socket());
            Files.delete(run);
            Files.createSymbolicLink(run, elsewhere);
            assertRefused(supervisor, run + " is not a directory");
            Files.delete(run);
            supervisor.launch(List.of());
            assertThat(mode(run)).isEqualTo("rwx------");
        }
    }

    private static void assertRefused(TestSupervisor supervisor, String message) throws InterruptedException {
        Process refused = supervisor.startProcess(List.of());
        assertThat(refused.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(refused.exitValue()).isEqualTo(Supervisor.CANNOT_START);
        assertThat(supervisor.output()).contains(message);
    }

    @Test
    void terminationLeavesChildrenRunningAndHangUpIsIgnored() throws IOException {
        try (TestSupervisor supervisor = TestSupervisor.start()) {
            SpawnOrder order = Orderly.sh("exec > /dev/null 2>&1 < /dev/null; trap '' HUP PIPE; sleep 60")
                    .order();
            ProcessIdentity identity;
            try (TestClient client = supervisor.client()) {
                identity = client.started(order);
                new ProcessBuilder("kill", "-HUP", Long.toString(supervisor.pid())).start();
                assertThat(client.status(order).state()).isEqualTo(RunnerState.RUNNING);
            }
            supervisor.process().destroy();
            supervisor.awaitEnd();
            assertThat(supervisor.socket()).doesNotExist();
            assertThat(ProcTable.alive(identity.pid(), identity.startTicks())).isTrue();
            supervisor.launch(List.of());
            try (TestClient client = supervisor.client()) {
                client.subscribe();
                client.stop(order, StopMode.FORCED, 0);
                assertThat(client.exit(order))
                        .satisfiesAnyOf(
                                exit -> assertThat(exit).isEqualTo(new Exit.Signalled(9)),
                                exit -> assertThat(exit).isInstanceOf(Exit.Unknown.class));
            }
        }
    }

    @Test
    void aRetiredSupervisorEndsWithItsLastAttempt() {
        try (TestSupervisor supervisor = TestSupervisor.start()) {
            try (TestClient client = supervisor.client()) {
                client.subscribe();
                SpawnOrder order = Orderly.sh("read line").order();
                client.started(order);
                client.ask(new Frame.Retire());
                assertThat(client.spawn(Orderly.of("/bin/true").order()))
                        .isInstanceOfSatisfying(
                                SpawnOutcome.Refused.class,
                                refused -> assertThat(refused.reason()).isEqualTo(SpawnOutcome.Reason.RETIRING));
                assertThat(client.ask(new Frame.Forget(order.attemptKey(), order.nonce())))
                        .isInstanceOfSatisfying(
                                Frame.Failed.class,
                                failed -> assertThat(failed.code()).isEqualTo("CONFLICT"));
                client.stop(order, StopMode.FORCED, 0);
                client.exit(order);
                assertThat(client.ask(new Frame.Forget(order.attemptKey(), order.nonce())))
                        .isEqualTo(new Frame.Done());
            }
            assertThat(supervisor.awaitEnd()).isZero();
        }
    }

    @Test
    void fiveHundredIdleAttemptsAddNoThread() throws IOException {
        try (TestSupervisor supervisor = TestSupervisor.start();
                TestClient client = supervisor.client()) {
            client.started(Orderly.sh("read line").order());
            long before = threads(supervisor);
            List<Long> asked = Stream.generate(() ->
                            client.order(new Frame.Spawn(Orderly.of("/bin/cat").order())))
                    .limit(500)
                    .toList();
            assertThat(asked)
                    .extracting(each -> client.await(each, Duration.ofSeconds(30)))
                    .allMatch(frame ->
                            frame instanceof Frame.SpawnReply reply && reply.outcome() instanceof SpawnOutcome.Spawned);
            assertThat(threads(supervisor)).isLessThanOrEqualTo(before + 1);
            assertThat(((Frame.AllReply) client.ask(new Frame.QueryAll())).statuses())
                    .hasSize(501);
        }
    }

    private static long threads(TestSupervisor supervisor) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + supervisor.pid() + "/task"))) {
            return tasks.count();
        }
    }
}
