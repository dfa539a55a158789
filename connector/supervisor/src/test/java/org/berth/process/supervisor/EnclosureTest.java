package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.berth.placement.Capability;
import org.berth.placement.Exit;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.RunnerState;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOrder.Enclosure;
import org.berth.placement.SpawnOrder.Enclosure.Kind;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.StopMode;
import org.berth.process.protocol.Frame;
import org.berth.process.supervisor.os.ProcTable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EnclosureTest extends SupervisedTest {
    /** Namespaces of its own for processes and the network, and the program bound at another place. */
    private static Enclosure bubble() {
        return new Enclosure(
                Kind.BUBBLEWRAP,
                List.of(
                        "--unshare-pid",
                        "--unshare-net",
                        "--ro-bind",
                        "/",
                        "/",
                        "--tmpfs",
                        "/tmp",
                        "--ro-bind",
                        "/bin/sh",
                        "/tmp/inside/sh",
                        "--proc",
                        "/proc",
                        "--chdir",
                        "/tmp"),
                "/tmp/inside/sh");
    }

    private static Enclosure unshare() {
        List<String> arguments = new ArrayList<>(List.of("--fork", "--pid", "--mount-proc", "--net"));
        if (ProcessHandle.current().info().user().filter("root"::equals).isEmpty()) {
            arguments.addAll(0, List.of("--user", "--map-root-user"));
        }
        return new Enclosure(Kind.UNSHARE, arguments, "/bin/sh");
    }

    private static Enclosure of(Kind kind) {
        return kind == Kind.BUBBLEWRAP ? bubble() : unshare();
    }

    private boolean gone(TestClient asker, SpawnOrder order, ProcessIdentity identity) {
        return ((Frame.ScopeReply)
                        asker.ask(new Frame.QueryScope(order.attemptKey(), Capability.CONTAINED_TREE, identity)))
                .observation()
                .gone();
    }

    @Test
    void theCommandRunsWhereItsOwnBubblewrapArgumentsPutIt() {
        SpawnOrder order = Orderly.sh("echo $0; pwd; ls /tmp; ls /proc/self/fd | wc -l; cat /proc/net/dev | wc -l")
                .enclosed(bubble())
                .order();
        assertThat(output(order)).isEqualTo("/tmp/inside/sh\n/tmp\ninside\n4\n3\n");
    }

    @Test
    void anUnsharedCommandIsTheFirstProcessOfItsNamespace() {
        SpawnOrder order = Orderly.sh("echo $$; cat /proc/net/dev | wc -l; exit 9")
                .enclosed(unshare())
                .order();
        assertThat(output(order)).isEqualTo("1\n3\n");
        assertThat(client.exit(order)).isEqualTo(new Exit.Exited(9));
    }

    /** Its namespace was taken for one that could not be made when it was over first. */
    @RepeatedTest(20)
    void anUnsharedCommandThatIsOverAtOnceIsSeen() {
        SpawnOrder order = Orderly.sh("exit 9").enclosed(unshare()).order();
        ProcessIdentity identity = client.started(order);
        assertThat(identity.tree().initPid()).isPositive();
        assertThat(identity.tree().innerPid()).isEqualTo(identity.tree().initPid());
        assertThat(client.exit(order)).isEqualTo(new Exit.Exited(9));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aStopEndsTheWholeNamespaceAndTheProofSaysSo(Kind kind) {
        SpawnOrder order = Orderly.sh("trap '' TERM; setsid sleep 300 & echo ready; while :; do sleep 1; done")
                .enclosed(of(kind))
                .order();
        ProcessIdentity identity = client.started(order);
        client.receive(order);
        Await.until("it is ready", () -> text(order, STDOUT).equals("ready\n"));
        assertThat(identity.tree().initPid()).isPositive();
        assertThat(identity.tree().innerPid()).isPositive();
        assertThat(gone(client, order, identity)).isFalse();
        client.stop(order, StopMode.COOPERATIVE, 300);
        Await.until("the namespace's end", () -> gone(client, order, identity));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void itOutlivesItsSupervisorAndIsAdoptedWithItsInnerIdentity(Kind kind) {
        SpawnOrder order = Orderly.sh("exec sleep 300").enclosed(of(kind)).order();
        try (TestSupervisor own = TestSupervisor.start()) {
            ProcessIdentity identity;
            try (TestClient first = own.client()) {
                identity = first.started(order);
            }
            own.kill();
            assertThat(ProcTable.alive(
                            identity.tree().innerPid(), identity.tree().innerStartTicks()))
                    .isTrue();
            own.launch(List.of());
            try (TestClient second = own.client()) {
                second.subscribe();
                assertThat(second.status(order).state()).isIn(RunnerState.RUNNING, RunnerState.UNCERTAIN);
                assertThat(second.status(order).identity()).isEqualTo(identity);
                second.stop(order, StopMode.FORCED, 0);
                Await.until("the namespace's end", () -> gone(second, order, identity));
                second.exit(order);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aChildWhoseIdentityWasNotJournalledIsFoundWithItsInnerIdentity(Kind kind) {
        SpawnOrder order = Orderly.sh("exec sleep 300").enclosed(of(kind)).order();
        try (TestSupervisor own = TestSupervisor.start()) {
            own.kill();
            own.launch(List.of("-Dberth.fault=after_spawn_before_spawned_journalled"));
            try (TestClient first = own.client()) {
                first.order(new Frame.Spawn(order));
                own.awaitEnd();
            }
            own.launch(List.of());
            try (TestClient second = own.client()) {
                second.subscribe();
                ProcessIdentity identity = second.status(order).identity();
                assertThat(ProcTable.alive(
                                identity.tree().innerPid(), identity.tree().innerStartTicks()))
                        .isTrue();
                assertThat(ProcTable.program(identity.tree().innerPid()).toString())
                        .endsWith("sleep");
                second.stop(order, StopMode.FORCED, 0);
                Await.until("the namespace's end", () -> gone(second, order, identity));
            }
        }
    }

    @Test
    void anEnclosureWithoutANamespaceOrWithAnotherScopeIsRefusedBeforeAnythingStarts() {
        Enclosure open = new Enclosure(Kind.BUBBLEWRAP, List.of("--dev-bind", "/", "/"), "/bin/sh");
        Enclosure relative = new Enclosure(Kind.BUBBLEWRAP, bubble().arguments(), "sh");
        Enclosure unforked = new Enclosure(Kind.UNSHARE, List.of("--pid"), "/bin/sh");
        for (Enclosure each : List.of(open, relative, unforked)) {
            assertThat(client.spawn(Orderly.sh("exit 0").enclosed(each).order()))
                    .isInstanceOf(SpawnOutcome.Refused.class);
        }
    }
}
