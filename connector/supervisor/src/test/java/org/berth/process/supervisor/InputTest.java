package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.berth.placement.EvidenceKind;
import org.berth.placement.Exit;
import org.berth.placement.InputOutcome;
import org.berth.placement.SpawnOrder;
import org.berth.placement.TerminalSize;
import org.berth.process.protocol.Frame;
import org.junit.jupiter.api.Test;

class InputTest extends SupervisedTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private InputOutcome write(SpawnOrder order, long generation, String id, byte[] data) {
        return ((Frame.InputReply) client.ask(new Frame.Write(order.attemptKey(), order.nonce(), generation, id, data)))
                .outcome();
    }

    private InputOutcome close(SpawnOrder order) {
        return ((Frame.InputReply) client.ask(new Frame.CloseStdin(order.attemptKey(), order.nonce()))).outcome();
    }

    @Test
    void theOrdersInputIsWrittenThenTheEnd() {
        SpawnOrder order = Orderly.of("/bin/cat").stdin(bytes("given"), true).order();
        assertThat(output(order)).isEqualTo("given");
        assertThat(client.event(order, EvidenceKind.STDIN_ACCEPTED).detail()).containsEntry("bytes", "5");
        assertThat(client.event(order, EvidenceKind.STDIN_CLOSED).detail()).containsEntry("by", "request");
    }

    @Test
    void aRepeatedWriteIsTakenOnce() {
        SpawnOrder order = Orderly.of("/bin/cat").order();
        client.started(order);
        client.receive(order);
        String id = Orderly.hex();
        assertThat(write(order, 1, id, bytes("once\n"))).isEqualTo(new InputOutcome(true, 1, null));
        assertThat(write(order, 1, id, bytes("once\n"))).isEqualTo(new InputOutcome(true, 1, null));
        assertThat(write(order, 2, Orderly.hex(), bytes("x"))).isEqualTo(new InputOutcome(false, 1, "fenced"));
        assertThat(write(order, 1, Orderly.hex(), new byte[65_537]).reason()).isEqualTo("too_large");
        assertThat(client.ask(new Frame.Wrote(order.attemptKey(), order.nonce(), id)))
                .isEqualTo(new Frame.WroteReply(true));
        assertThat(client.ask(new Frame.Wrote(order.attemptKey(), order.nonce(), Orderly.hex())))
                .isEqualTo(new Frame.WroteReply(false));
        assertThat(close(order).accepted()).isTrue();
        assertThat(close(order).accepted()).isTrue();
        assertThat(write(order, 1, Orderly.hex(), bytes("late")).accepted()).isFalse();
        client.awaitEof(order, STDOUT);
        assertThat(text(order, STDOUT)).isEqualTo("once\n");
    }

    @Test
    void whatAPipeDoesNotTakeAtOnceIsWrittenAsTheChildReads() {
        SpawnOrder order = Orderly.sh("sleep 0.3; cat").order();
        client.started(order);
        client.receive(order);
        byte[] block = new byte[65_536];
        for (int i = 0; i < 24; i++) {
            Arrays.fill(block, (byte) ('a' + i));
            long sent =
                    client.order(new Frame.Write(order.attemptKey(), order.nonce(), 1, Orderly.hex(), block.clone()));
            if (i == 23) {
                client.await(sent, Duration.ofSeconds(10));
            }
        }
        close(order);
        client.awaitEof(order, STDOUT);
        byte[] all = client.bytes(order, STDOUT);
        assertThat(all).hasSize(24 * 65_536);
        for (int i = 0; i < 24; i++) {
            assertThat(all[i * 65_536]).isEqualTo((byte) ('a' + i));
            assertThat(all[i * 65_536 + 65_535]).isEqualTo((byte) ('a' + i));
        }
    }

    @Test
    void aChildThatClosedItsInputRefusesWrites() {
        SpawnOrder order = Orderly.sh("exec <&-; echo closed; sleep 5").order();
        client.started(order);
        client.receive(order);
        Await.until("the child closed it", () -> text(order, STDOUT).equals("closed\n"));
        Await.until(
                "the write fails",
                () -> !write(order, 1, Orderly.hex(), bytes("x")).accepted());
        assertThat(client.event(order, EvidenceKind.STDIN_CLOSED).detail()).containsEntry("by", "child");
        assertThat(client.status(order).exit()).isNull();
    }

    @Test
    void aWindowTakesInputANewSizeAndAnEnd() {
        SpawnOrder order = Orderly.sh("stty -echo; echo ready; read line; stty size; cat; echo over")
                .window(24, 80)
                .order();
        client.started(order);
        client.receive(order);
        Await.until("the child waits", () -> text(order, TTY).contains("ready"));
        InputOutcome resized = ((Frame.InputReply)
                        client.ask(new Frame.Resize(order.attemptKey(), order.nonce(), 1, new TerminalSize(50, 132))))
                .outcome();
        assertThat(resized.accepted()).isTrue();
        write(order, 1, Orderly.hex(), bytes("go\n"));
        Await.until("the new size", () -> text(order, TTY).contains("50 132"));
        write(order, 1, Orderly.hex(), bytes("tail\n"));
        assertThat(close(order).accepted()).isTrue();
        client.awaitEof(order, TTY);
        assertThat(text(order, TTY)).endsWith("tail\r\nover\r\n");
        assertThat(client.exit(order)).isEqualTo(new Exit.Exited(0));
    }
}
