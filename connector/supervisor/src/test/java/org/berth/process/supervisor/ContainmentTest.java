package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.placement.Capability;
import org.berth.placement.Exit;
import org.berth.placement.HostMeasurement;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.ScopeObservation;
import org.berth.placement.SpawnOrder;
import org.berth.placement.StopMode;
import org.berth.process.protocol.Frame;
import org.berth.process.supervisor.os.ProcStat;
import org.berth.process.supervisor.os.ProcTable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ContainmentTest extends SupervisedTest {
    @BeforeAll
    static void requireBubblewrap() {
        assertThat(List.of("/usr/local/bin/bwrap", "/usr/bin/bwrap", "/bin/bwrap"))
                .as("bubblewrap is needed: apt-get install bubblewrap")
                .anyMatch(place -> Files.isExecutable(Path.of(place)));
    }

    private ScopeObservation tree(SpawnOrder order, ProcessIdentity identity) {
        return ((Frame.ScopeReply)
                        client.ask(new Frame.QueryScope(order.attemptKey(), Capability.CONTAINED_TREE, identity)))
                .observation();
    }

    @Test
    void theProbeShowsThatAnEscapedGrandchildDiesWithItsNamespace() {
        HostMeasurement measured = ((Frame.ProbeReply) client.ask(new Frame.Probe())).measurement();
        assertThat(measured.containmentReason()).isNull();
        assertThat(measured.capability()).isEqualTo(Capability.CONTAINED_TREE);
        assertThat(measured.containment()).isEqualTo("bubblewrap");
        assertThat(measured.kernel()).isNotBlank();
        assertThat(client.ask(new Frame.Probe())).isEqualTo(new Frame.ProbeReply(measured));
    }

    @Test
    void codesAndSignalsComeThroughTheNamespaceUnfolded() {
        SpawnOrder code = Orderly.sh("sleep 0.2; exit 143").contained().order();
        client.started(code);
        assertThat(client.exit(code)).isEqualTo(new Exit.Exited(143));
        SpawnOrder signal = Orderly.sh("sleep 0.2; kill -TERM $$").contained().order();
        client.started(signal);
        assertThat(client.exit(signal)).isEqualTo(new Exit.Signalled(15));
    }

    @Test
    void theInsideIsANamespaceWithThreeDescriptorsAndTheSameFiles() {
        String shown = output(Orderly.sh("pwd; ls /proc/self/fd | tr '\\n' ' '; test $$ -lt 10 && echo small")
                .in("/usr")
                .contained()
                .order());
        assertThat(shown).isEqualTo("/usr\n0 1 2 3 small\n");
    }

    @Test
    void aDescendantThatLeftTheSessionDiesWithTheNamespace() {
        SpawnOrder order = Orderly.sh("setsid sh -c 'sleep 300 & wait' & sleep 0.3; exit 4")
                .contained()
                .drain(300)
                .order();
        ProcessIdentity identity = client.started(order);
        long inner = identity.tree().innerPid();
        ProcStat[] escaped = new ProcStat[1];
        Await.until("a session of its own", () -> {
            List<ProcStat> found = ProcTable.find(stat -> stat.parent() == inner && stat.session() == stat.pid());
            escaped[0] = found.isEmpty() ? null : found.getFirst();
            return escaped[0] != null;
        });
        assertThat(client.exit(order)).isEqualTo(new Exit.Exited(4));
        assertThat(tree(order, identity).gone()).isFalse();
        assertThat(ProcTable.alive(escaped[0].pid(), escaped[0].startTicks())).isTrue();
        client.stop(order, StopMode.COOPERATIVE, 1000);
        Await.until("the namespace is gone", () -> tree(order, identity).gone());
        Await.until("the escaped process is gone", () -> !ProcTable.alive(escaped[0].pid(), escaped[0].startTicks()));
    }

    @Test
    void aStopReachesTheCommandAndTheGraceEndsInAKill() {
        SpawnOrder polite = Orderly.sh("trap 'exit 5' TERM; echo up; while :; do sleep 0.05; done")
                .contained()
                .order();
        client.started(polite);
        client.receive(polite);
        Await.until("the trap is set", () -> text(polite, STDOUT).equals("up\n"));
        client.stop(polite, StopMode.COOPERATIVE, 5000);
        assertThat(client.exit(polite)).isEqualTo(new Exit.Exited(5));
        SpawnOrder stubborn = Orderly.sh("trap '' TERM; echo up; while :; do sleep 0.05; done")
                .contained()
                .order();
        ProcessIdentity identity = client.started(stubborn);
        client.receive(stubborn);
        Await.until("the trap is set", () -> text(stubborn, STDOUT).equals("up\n"));
        client.stop(stubborn, StopMode.COOPERATIVE, 200);
        assertThat(client.exit(stubborn)).isEqualTo(new Exit.Signalled(9));
        Await.until("the namespace is gone", () -> tree(stubborn, identity).gone());
    }
}
