package org.berth.process.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.berth.placement.Capability;
import org.berth.placement.EvidenceKind;
import org.berth.placement.ExecutableKind;
import org.berth.placement.Exit;
import org.berth.placement.OutputTruncation;
import org.berth.placement.ProcessEvent;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.SpawnOrder;
import org.berth.placement.TerminalSize;
import org.junit.jupiter.api.Test;

class FrameCodecTest {
    private static Frame roundTrip(Frame frame) {
        FrameCodec.Envelope back = FrameCodec.decode(FrameCodec.encode(7, frame));
        assertThat(back.correlation()).isEqualTo(7);
        return back.frame();
    }

    @Test
    void everyPartOfASpawnOrderSurvivesTheWire() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("EMPTY", "");
        environment.put("NAME", " a=b=c\né≤ ");
        SpawnOrder order = new SpawnOrder(
                "a".repeat(32),
                "b".repeat(32),
                "/bin/true",
                List.of("", "x y"),
                environment,
                "/tmp",
                new TerminalSize(24, 80),
                new byte[] {0, -1, 10},
                true,
                Capability.CONTAINED_TREE,
                5000,
                30000,
                new SpawnOrder.Log("/x", OutputTruncation.DEFAULT),
                new SpawnOrder.Expected(ExecutableKind.ELF, "0".repeat(64)),
                3,
                new SpawnOrder.Buffer(16, 262144));
        Frame.Spawn back = (Frame.Spawn) roundTrip(new Frame.Spawn(order));
        assertThat(back.order()).usingRecursiveComparison().isEqualTo(order);
    }

    @Test
    void absentPartsStayAbsent() {
        Frame.QueryStatus query = new Frame.QueryStatus("k", null, null);
        assertThat(roundTrip(query)).isEqualTo(query);
    }

    @Test
    void sealedValuesKeepTheirKind() {
        ProcessEvent event = new ProcessEvent(
                "k",
                "n",
                9,
                Instant.parse("2026-01-01T00:00:00.123456789Z"),
                EvidenceKind.CHILD_EXITED,
                Map.of("a", "b"),
                new Exit.Signalled(9));
        assertThat(roundTrip(new Frame.Event(event))).isEqualTo(new Frame.Event(event));
        ProcessIdentity identity = new ProcessIdentity(1, 2, 3, "boot", new ProcessIdentity.Tree(4, 5, 6, 7));
        Frame.Stop stop = new Frame.Stop("k", "n", org.berth.placement.StopMode.FORCED, 0, identity);
        assertThat(roundTrip(stop)).isEqualTo(stop);
    }

    @Property
    void bytesStayBytes(@ForAll @Size(max = 300) byte[] data, @ForAll long sequence) {
        Frame.Output back = (Frame.Output) roundTrip(new Frame.Output("k", 1, 2, sequence, false, true, data));
        assertThat(back.data()).isEqualTo(data);
        assertThat(back.sequence()).isEqualTo(sequence);
    }

    @Property
    void aFrameThatIsCutOrChangedIsRefusedOrReadButNeverBreaksTheReader(
            @ForAll @Size(min = 13, max = 200) byte[] noise) {
        ByteBuffer buffer = ByteBuffer.wrap(noise);
        buffer.putInt(0, noise.length - 4);
        try {
            FrameCodec.decode(buffer);
        } catch (ProtocolException expected) {
            assertThat(expected).hasMessageNotContaining("null");
        }
    }

    @Test
    void aLengthOutOfRangeIsRefused() {
        ByteBuffer buffer = ByteBuffer.allocate(16).putInt(0, FrameCodec.MAX_FRAME_BYTES + 1);
        assertThatThrownBy(() -> FrameCodec.holdsFrame(buffer)).isInstanceOf(ProtocolException.class);
    }

    @Property
    void theTwoPartsOfAFrameAreItsBytes(@ForAll @IntRange(max = 20_000) int length, @ForAll boolean dataInTheMiddle) {
        byte[] data = new byte[length];
        new Random(length).nextBytes(data);
        Frame frame = dataInTheMiddle
                ? new Frame.Spawn(new SpawnOrder(
                        "a",
                        "b",
                        "/bin/true",
                        List.of(),
                        Map.of(),
                        "/tmp",
                        null,
                        data,
                        true,
                        Capability.PROCESS_GROUP,
                        1,
                        2,
                        null,
                        null,
                        3,
                        null))
                : new Frame.Output("k", 1, 1, 9, false, true, data);
        ByteBuffer whole = ByteBuffer.allocate(length + 1024);
        FrameCodec.encodeParts(5, frame).forEach(whole::put);
        assertThat(whole.flip()).isEqualTo(FrameCodec.encode(5, frame));
    }
}
