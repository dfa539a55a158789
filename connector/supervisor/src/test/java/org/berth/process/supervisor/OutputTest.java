package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.berth.placement.EvidenceKind;
import org.berth.placement.Exit;
import org.berth.placement.SpawnOrder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutputTest {
    private static final int STDOUT = 1;
    private static final int STDERR = 2;
    private static final int TTY = 3;

    private static TestSupervisor supervisor;
    private TestClient client;

    @BeforeAll
    static void start() {
        supervisor = TestSupervisor.start();
    }

    @AfterAll
    static void end() {
        supervisor.close();
    }

    @BeforeEach
    void connect() {
        client = supervisor.client();
        client.subscribe();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private String text(SpawnOrder order, int stream) {
        return new String(client.bytes(order, stream), StandardCharsets.UTF_8);
    }

    @Test
    void theExitIsKnownWhileASurvivorHoldsThePipesAndTheDrainEndsThem() {
        SpawnOrder order = Orderly.sh("sleep 30 & echo done; exit 7").drain(500).order();
        client.started(order);
        client.receive(order);
        long start = System.nanoTime();
        assertThat(client.exit(order)).isEqualTo(new Exit.Exited(7));
        assertThat(System.nanoTime() - start).isLessThan(1_000_000_000L);
        client.awaitEof(order, STDOUT, STDERR);
        assertThat(text(order, STDOUT)).isEqualTo("done\n");
        assertThat(client.chunks(order)).filteredOn(chunk -> chunk.eof()).allMatch(chunk -> chunk.truncated());
        client.event(order, EvidenceKind.OUTPUT_DRAIN_ELAPSED);
        assertThat(client.event(order, EvidenceKind.CHILD_EXITED).detail()).containsKey("survivors");
    }

    @Test
    void aSlowReceiverGetsEveryByteInOrderThenTheEndThenTheExit() {
        SpawnOrder order = Orderly.sh("seq 1 100000").order();
        client.delayMillis = 3;
        client.started(order);
        client.receive(order);
        client.awaitEof(order, STDOUT, STDERR);
        assertThat(client.bytes(order, STDOUT)).hasSize(588895);
        assertThat(text(order, STDOUT)).startsWith("1\n2\n").endsWith("99999\n100000\n");
        assertThat(client.chunks(order))
                .extracting(chunk -> chunk.sequence())
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(client.exit(order)).isEqualTo(new Exit.Exited(0));
    }

    @Test
    void aLateLineOfASurvivorArrivesWhileTheDrainLasts() {
        SpawnOrder order = Orderly.sh("(sleep 1; echo late) & echo early; exit 0")
                .drain(4000)
                .order();
        client.started(order);
        client.receive(order);
        client.awaitEof(order, STDOUT);
        assertThat(text(order, STDOUT)).isEqualTo("early\nlate\n");
        assertThat(client.kinds(order)).doesNotContain(EvidenceKind.OUTPUT_DRAIN_ELAPSED);
    }

    @Test
    void bothStreamsMayEndLongBeforeTheChild() {
        SpawnOrder order = Orderly.sh("echo a; exec >&- 2>&-; sleep 1; exit 9").order();
        client.started(order);
        client.receive(order);
        client.awaitEof(order, STDOUT, STDERR);
        assertThat(client.kinds(order)).doesNotContain(EvidenceKind.CHILD_EXITED);
        assertThat(client.status(order).exit()).isNull();
        assertThat(client.exit(order)).isEqualTo(new Exit.Exited(9));
    }

    @Test
    void muchOnOneStreamDoesNotHoldUpTheOther() {
        SpawnOrder order = Orderly.sh("head -c 200000 /dev/zero >&2; echo ok").order();
        client.started(order);
        client.receive(order);
        client.awaitEof(order, STDOUT, STDERR);
        assertThat(client.bytes(order, STDERR)).hasSize(200000);
        assertThat(text(order, STDOUT)).isEqualTo("ok\n");
    }

    @Test
    void aWindowIsATerminalOfTheOrderedSize() {
        SpawnOrder order = Orderly.sh("stty size; tty").window(41, 97).order();
        client.started(order);
        client.receive(order);
        client.awaitEof(order, TTY);
        assertThat(text(order, TTY)).startsWith("41 97\r\n/dev/pts/");
        assertThat(client.exit(order)).isEqualTo(new Exit.Exited(0));
    }
}
