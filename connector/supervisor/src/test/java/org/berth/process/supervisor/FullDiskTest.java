package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import org.berth.placement.EvidenceKind;
import org.berth.placement.Exit;
import org.berth.placement.RunnerState;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome;
import org.berth.process.protocol.Frame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Case 24: the supervisor's state on a file system of 16 MiB that fills up. */
class FullDiskTest {
    @TempDir
    Path outside;

    @Test
    void aFullDiskRefusesNewChildrenBeforeAnyEffectAndWithholdsNoExit() {
        try (TestSupervisor supervisor = TestSupervisor.startOnSmallDisk("16m");
                TestClient client = supervisor.client()) {
            client.subscribe();
            String filler = "'" + supervisor.state().resolve("filler") + "'";
            SpawnOrder runs = Orderly.sh("read line; exit 7").order();
            SpawnOrder fills = Orderly.sh(
                            "yes > " + filler + "; echo full; read line; rm " + filler + "; echo room; exit 3")
                    .order();
            client.started(runs);
            client.started(fills);
            client.receive(fills);
            awaitOutput(client, fills, "full");

            Path touched = outside.resolve("touched");
            SpawnOrder refused = Orderly.sh("touch '" + touched + "'").order();
            refusedWithoutSpace(client, refused);
            assertThat(touched).doesNotExist();
            assertThat(client.status(runs).state()).isEqualTo(RunnerState.RUNNING);

            line(client, runs);
            assertThat(client.exit(runs)).isEqualTo(new Exit.Exited(7));

            line(client, fills);
            awaitOutput(client, fills, "room");
            assertThat(client.exit(fills)).isEqualTo(new Exit.Exited(3));
            SpawnOrder again = Orderly.sh("touch '" + touched + "'").order();
            client.started(again);
            client.event(again, EvidenceKind.CHILD_EXITED);
            assertThat(touched).exists();
        }
    }

    /** The journal's own reserve may let a few through before it is used up: each of these is a whole launch. */
    private void refusedWithoutSpace(TestClient client, SpawnOrder last) {
        for (int i = 0; i < 2_000; i++) {
            Path mark = outside.resolve("mark-" + i);
            SpawnOutcome outcome =
                    client.spawn(Orderly.sh("touch '" + mark + "'").order());
            if (outcome instanceof SpawnOutcome.Refused refused) {
                assertThat(refused.reason()).isEqualTo(SpawnOutcome.Reason.NO_SPACE);
                assertThat(refused.sentence()).contains("disk is full");
                assertThat(mark).doesNotExist();
                break;
            }
        }
        assertThat(client.spawn(last))
                .isInstanceOfSatisfying(
                        SpawnOutcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(SpawnOutcome.Reason.NO_SPACE));
    }

    private static void line(TestClient client, SpawnOrder order) {
        client.ask(new Frame.Write(
                order.attemptKey(),
                order.nonce(),
                order.generation(),
                UUID.randomUUID().toString().replace("-", ""),
                "go\n".getBytes(StandardCharsets.UTF_8)));
    }

    private static void awaitOutput(TestClient client, SpawnOrder order, String word) {
        Await.until(word, () -> new String(client.bytes(order, 1), StandardCharsets.UTF_8).contains(word));
    }
}
