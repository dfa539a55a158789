package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.berth.placement.Capability;
import org.berth.placement.EvidenceKind;
import org.berth.placement.Exit;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.RunnerState;
import org.berth.placement.RunnerStatus;
import org.berth.placement.SpawnOrder;
import org.berth.process.supervisor.journal.AttemptImage;
import org.berth.process.supervisor.journal.Entry;
import org.junit.jupiter.api.Test;

/** The machine was started again: the boot id decides absence. */
class AnotherBootTest {
    private static final String BOOT = "00000000-0000-0000-0000-000000000000";

    private static AttemptImage image(SpawnOrder order) {
        return AttemptImage.spawning(order.attemptKey(), order.nonce(), Capability.PROCESS_GROUP, BOOT, 1);
    }

    @Test
    void whateverWasStartedInAnotherBootIsGoneAndItsExitUnknown() {
        SpawnOrder undecided = Orderly.sh("exit 0").order();
        SpawnOrder known = Orderly.sh("exit 0").order();
        // The number is this very process's: only the boot tells it apart.
        ProcessIdentity reused = new ProcessIdentity(ProcessHandle.current().pid(), 1, 1, BOOT, null);
        try (TestSupervisor supervisor = TestSupervisor.startAfter(
                        new Entry.Spawning(image(undecided)),
                        new Entry.Undecided(undecided.attemptKey()),
                        new Entry.Spawning(image(known)),
                        new Entry.Spawned(known.attemptKey(), reused, null));
                TestClient client = supervisor.client()) {
            client.subscribe();
            for (SpawnOrder order : List.of(undecided, known)) {
                RunnerStatus status = client.status(order);
                assertThat(status.state()).isEqualTo(RunnerState.EXITED);
                assertThat(status.exit()).isInstanceOf(Exit.Unknown.class);
                assertThat(client.event(order, EvidenceKind.CHILD_EXITED).exit())
                        .isInstanceOf(Exit.Unknown.class);
            }
        }
    }
}
