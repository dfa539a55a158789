package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.berth.placement.Capability;
import org.berth.placement.EvidenceKind;
import org.berth.placement.Exit;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.RunnerState;
import org.berth.placement.ScopeObservation;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.StopMode;
import org.berth.placement.StopOutcome;
import org.berth.process.protocol.Frame;
import org.berth.process.supervisor.os.ProcTable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StopTest extends SupervisedTest {
    @TempDir
    Path files;

    private Exit exitOf(String script) {
        SpawnOrder order = Orderly.sh(script).order();
        client.started(order);
        return client.exit(order);
    }

    @Test
    void aCodeIsToldFromASignal() {
        assertThat(exitOf("exit 143")).isEqualTo(new Exit.Exited(143));
        assertThat(exitOf("kill -TERM $$")).isEqualTo(new Exit.Signalled(15));
        assertThat(exitOf("kill -KILL $$")).isEqualTo(new Exit.Signalled(9));
        assertThat(exitOf("exit 256")).isEqualTo(new Exit.Exited(0));
    }

    @Test
    void anEndedChildIsExitedAndNotRunning() {
        SpawnOrder order = Orderly.of("/bin/true").order();
        ProcessIdentity identity = client.started(order);
        client.exit(order);
        assertThat(client.status(order).state()).isEqualTo(RunnerState.EXITED);
        assertThat(ProcTable.alive(identity.pid(), identity.startTicks())).isFalse();
        assertThat(client.stop(order, StopMode.COOPERATIVE, 100)).isEqualTo(StopOutcome.NOTHING_LEFT);
    }

    private void awaitLine(Path file) {
        Await.until("the child wrote " + file, () -> {
            try {
                return Files.exists(file) && Files.size(file) > 0;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void aCooperativeStopLetsTheChildEndByItself() throws IOException {
        Path ready = files.resolve("ready");
        Path ended = files.resolve("ended");
        SpawnOrder order = Orderly.sh("trap 'echo bye > " + ended + "; exit 3' TERM; echo up > " + ready
                        + "; while :; do sleep 0.05; done")
                .order();
        client.started(order);
        awaitLine(ready);
        assertThat(client.stop(order, StopMode.COOPERATIVE, 10_000)).isEqualTo(StopOutcome.ACCEPTED);
        assertThat(client.exit(order)).isEqualTo(new Exit.Exited(3));
        assertThat(Files.readString(ended)).isEqualTo("bye\n");
        assertThat(client.event(order, EvidenceKind.CHILD_EXITED).detail()).containsEntry("stop", "cooperative");
        assertThat(client.kinds(order)).contains(EvidenceKind.SIGNAL_TERM).doesNotContain(EvidenceKind.SIGNAL_KILL);
    }

    @Test
    void aChildThatIgnoresTheSignalIsKilledAfterTheGrace() {
        Path ready = files.resolve("ready");
        SpawnOrder order = Orderly.sh("trap '' TERM; echo up > " + ready + "; while :; do sleep 0.05; done")
                .order();
        client.started(order);
        awaitLine(ready);
        long start = System.nanoTime();
        client.stop(order, StopMode.COOPERATIVE, 300);
        assertThat(client.exit(order)).isEqualTo(new Exit.Signalled(9));
        assertThat(System.nanoTime() - start).isGreaterThan(300_000_000L);
        assertThat(client.kinds(order)).containsSubsequence(EvidenceKind.SIGNAL_TERM, EvidenceKind.SIGNAL_KILL);
    }

    private ScopeObservation scope(SpawnOrder order, Capability scope, ProcessIdentity identity) {
        return ((Frame.ScopeReply) client.ask(new Frame.QueryScope(order.attemptKey(), scope, identity))).observation();
    }

    @Test
    void aStopAfterTheExitEndsWhatIsLeftOfTheGroup() {
        SpawnOrder order = Orderly.sh("sleep 60 & exit 0").drain(100).order();
        ProcessIdentity identity = client.started(order);
        client.exit(order);
        assertThat(scope(order, Capability.DIRECT_PROCESS, identity).gone()).isTrue();
        ScopeObservation group = scope(order, Capability.PROCESS_GROUP, identity);
        assertThat(group.gone()).isFalse();
        assertThat(group.survivors()).hasSize(1);
        assertThat(client.stop(order, StopMode.FORCED, 0)).isEqualTo(StopOutcome.ACCEPTED);
        Await.until(
                "the group is gone",
                () -> scope(order, Capability.PROCESS_GROUP, identity).gone());
        assertThat(client.event(order, EvidenceKind.SIGNAL_GROUP).detail())
                .containsEntry("group", Long.toString(identity.group()));
    }

    /** It was called unproven, so that a child came to live whose stop was lost. */
    @RepeatedTest(20)
    void aStopThatComesBeforeTheChildIsOrderedAgainWhenTheChildIsThere() {
        SpawnOrder order = Orderly.sh("sleep 300").contained().order();
        long spawn = client.order(new Frame.Spawn(order));
        long stop = client.order(new Frame.Stop(order.attemptKey(), order.nonce(), StopMode.FORCED, 0, null));
        StopOutcome early = ((Frame.StopReply) client.await(stop, Duration.ofSeconds(20))).outcome();
        assertThat(((Frame.SpawnReply) client.await(spawn, Duration.ofSeconds(20))).outcome())
                .isInstanceOf(SpawnOutcome.Spawned.class);
        assertThat(early).isIn(StopOutcome.UNKNOWN_ATTEMPT, StopOutcome.ACCEPTED);
        if (early == StopOutcome.UNKNOWN_ATTEMPT) {
            assertThat(client.stop(order, StopMode.FORCED, 0)).isEqualTo(StopOutcome.ACCEPTED);
        }
    }

    @Test
    void anUnknownProcessIsSignalledOnlyWhenItIsIdentified() {
        SpawnOrder order = Orderly.sh("sleep 60").order();
        ProcessIdentity own = client.started(order);
        ProcessIdentity otherTicks =
                new ProcessIdentity(own.pid(), own.group(), own.startTicks() + 1, own.bootId(), null);
        ProcessIdentity otherBoot = new ProcessIdentity(own.pid(), own.group(), own.startTicks(), "another", null);
        String unknown = Orderly.hex();
        assertThat(stopUnknown(unknown, otherTicks)).isEqualTo(StopOutcome.UNPROVEN);
        assertThat(stopUnknown(unknown, otherBoot)).isEqualTo(StopOutcome.UNPROVEN);
        assertThat(stopUnknown(unknown, null)).isEqualTo(StopOutcome.UNKNOWN_ATTEMPT);
        assertThat(stopUnknown(order.attemptKey(), own)).isEqualTo(StopOutcome.UNKNOWN_ATTEMPT);
        assertThat(client.status(order).state()).isEqualTo(RunnerState.RUNNING);
        assertThat(scope(order, Capability.DIRECT_PROCESS, otherTicks).gone()).isTrue();
        assertThat(scope(order, Capability.PROCESS_GROUP, otherBoot).gone()).isTrue();
        assertThat(stopUnknown(unknown, own)).isEqualTo(StopOutcome.ACCEPTED);
        assertThat(client.exit(order)).isEqualTo(new Exit.Signalled(9));
    }

    private StopOutcome stopUnknown(String key, ProcessIdentity identity) {
        return ((Frame.StopReply) client.ask(new Frame.Stop(key, Orderly.hex(), StopMode.FORCED, 0, identity)))
                .outcome();
    }
}
