package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.placement.EvidenceKind;
import org.berth.placement.Exit;
import org.berth.placement.SpawnOrder;
import org.berth.placement.StopMode;
import org.berth.process.protocol.Frame;
import org.junit.jupiter.api.Test;

class OutputTest extends SupervisedTest {
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

    @Test
    void theSpoolHoldsUpTheChildAndASecondReceiverGetsEveryByteAgain() {
        SpawnOrder order = Orderly.sh("seq 1 200000; echo finished >&2").order();
        client.acknowledging = false;
        client.started(order);
        client.receive(order);
        Await.until("the outstanding chunks", () -> client.chunks(order).size() == Limits.DEFAULT.outstanding());
        assertThat(client.kinds(order)).doesNotContain(EvidenceKind.CHILD_EXITED);
        int spool = Limits.DEFAULT.spoolBytes();
        Await.until(
                "not another chunk fits",
                () -> client.status(order).spooledBytes() > spool - Limits.DEFAULT.chunkBytes());
        assertThat(client.status(order).spooledBytes()).isLessThanOrEqualTo(262_144);
        byte[] before = client.bytes(order, STDOUT);
        try (TestClient second = supervisor.client()) {
            second.subscribe();
            assertThat(fence(second, order, 2)).isTrue();
            Await.until("the first receiver is told", () -> !client.fences.isEmpty());
            assertThat(client.fences.getFirst().generation()).isEqualTo(2);
            second.receive(order, 2);
            second.awaitEof(order, STDOUT, STDERR);
            byte[] all = second.bytes(order, STDOUT);
            assertThat(all).hasSize(1288895).startsWith(before);
            assertThat(second.chunks(order).getFirst().sequence()).isEqualTo(1);
            assertThat(second.exit(order)).isEqualTo(new Exit.Exited(0));
            assertThat(client.chunks(order)).hasSize(Limits.DEFAULT.outstanding());
        }
    }

    private static boolean fence(TestClient by, SpawnOrder order, long generation) {
        return ((Frame.FenceReply) by.ask(new Frame.Fence(order.attemptKey(), order.nonce(), generation)))
                .outcome()
                .accepted();
    }

    @Test
    void anAttemptsOwnBufferDecidesWhatMayWait() {
        for (int chunks : new int[] {4, 64}) {
            SpawnOrder order =
                    Orderly.of("/usr/bin/yes").buffer(chunks, chunks * 16_384).order();
            try (TestClient idle = supervisor.client()) {
                idle.acknowledging = false;
                idle.started(order);
                idle.receive(order);
                long lastChunk = (chunks - 1) * 16_384L;
                Await.until("the spool is full", () -> idle.status(order).spooledBytes() > lastChunk);
                Await.until(
                        "all that may be out is out", () -> idle.chunks(order).size() >= chunks - 1);
                assertThat(idle.chunks(order)).hasSizeLessThanOrEqualTo(chunks);
                assertThat(idle.status(order).spooledBytes()).isBetween(lastChunk + 1, chunks * 16_384L);
                idle.stop(order, StopMode.FORCED, 0);
            }
        }
    }

    @Test
    void anAcknowledgementCountsOnlyForTheGenerationInForceAndForWhatWasSent() {
        SpawnOrder order = Orderly.sh("echo one; read line; echo two").order();
        client.acknowledging = false;
        client.started(order);
        client.receive(order);
        Await.until("the first chunk", () -> client.chunks(order).size() == 1);
        client.tell(new Frame.Acknowledge(order.attemptKey(), order.nonce(), 7, 1));
        client.tell(new Frame.Acknowledge(order.attemptKey(), order.nonce(), 1, 50));
        client.tell(new Frame.Acknowledge(order.attemptKey(), Orderly.hex(), 1, 1));
        assertThat(client.status(order).unacknowledged()).isEqualTo(1);
        client.tell(new Frame.Acknowledge(order.attemptKey(), order.nonce(), 1, 1));
        assertThat(client.status(order).unacknowledged()).isZero();
        assertThat(fence(client, order, 1)).isTrue();
        assertThat(fence(client, order, 5)).isTrue();
        assertThat(fence(client, order, 4)).isFalse();
    }

    @Test
    void outputThatNobodyTookInTimeIsLostWithItsCounts() {
        SpawnOrder order =
                Orderly.sh("printf 12345; printf 123 >&2").retain(300).order();
        client.started(order);
        assertThat(client.event(order, EvidenceKind.OUTPUT_LOST).detail())
                .containsEntry("stdout_bytes", "5")
                .containsEntry("stderr_bytes", "3")
                .containsEntry("chunks", "4");
        assertThat(client.status(order).unacknowledged()).isZero();
    }

    @Test
    void manyUnattendedWritersKeepMemoryBoundedAndHoldUpNoOther() throws IOException {
        List<SpawnOrder> writers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            SpawnOrder order = Orderly.of("/usr/bin/yes").order();
            client.started(order);
            writers.add(order);
        }
        Await.until(
                "every spool is full",
                () -> writers.stream().allMatch(order -> client.status(order).unacknowledged() >= 15));
        long start = System.nanoTime();
        SpawnOrder quick = Orderly.sh("echo quick").order();
        assertThat(output(quick)).isEqualTo("quick\n");
        assertThat(System.nanoTime() - start).isLessThan(2_000_000_000L);
        String status = Files.readString(Path.of("/proc/" + supervisor.pid() + "/status"));
        Matcher rss = Pattern.compile("VmRSS:\\s+(\\d+) kB").matcher(status);
        assertThat(rss.find()).isTrue();
        assertThat(Long.parseLong(rss.group(1))).isLessThan(250_000);
        SpawnOrder one = writers.getFirst();
        client.receive(one);
        Await.until("a megabyte of one", () -> client.chunks(one).size() > 64);
        assertThat(new String(client.bytes(one, STDOUT), StandardCharsets.UTF_8))
                .matches("(y\n)*y?");
        writers.forEach(order -> client.stop(order, StopMode.FORCED, 0));
        writers.forEach(order -> assertThat(client.exit(order)).isEqualTo(new Exit.Signalled(9)));
    }

    @Test
    void bytesThatAreNoTextArriveAsTheyAre() {
        SpawnOrder order = Orderly.sh("printf '\\377\\376\\000'; head -c 100000 /dev/zero | tr '\\0' '\\200'")
                .order();
        client.started(order);
        client.receive(order);
        client.awaitEof(order, STDOUT);
        byte[] all = client.bytes(order, STDOUT);
        assertThat(all).hasSize(100003).startsWith(0xff, 0xfe, 0x00, 0x80);
    }
}
