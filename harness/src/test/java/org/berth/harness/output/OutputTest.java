package org.berth.harness.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OutputTest {
    private static final long GIBIBYTE = 1L << 30;
    private static final long MOST_ALLOCATED_BYTES = 1 << 20;

    @TempDir
    private Path directory;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void theDefaultIsTheOneOfTheReference() {
        assertThat(OutputLimits.DEFAULT.bytes()).isEqualTo(51_200);
        assertThat(OutputLimits.DEFAULT.lines()).isEqualTo(2_000);
        assertThat(Truncation.DEFAULT).isEqualTo(new Truncation.On(OutputLimits.DEFAULT));
        assertThatIllegalArgumentException().isThrownBy(() -> new OutputLimits(-1, 1, OutputLimits.Keep.HEAD));
        assertThatIllegalArgumentException().isThrownBy(() -> new OutputLimits(1, -1, OutputLimits.Keep.HEAD));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OutputLimits(OutputLimits.MOST_BYTES + 1, 1, OutputLimits.Keep.HEAD));
    }

    @ParameterizedTest
    @EnumSource
    void aGibibyteCostsNoMoreThanAMebibyte(OutputLimits.Keep keep) {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        byte[] chunk = new byte[64 << 10];
        Arrays.fill(chunk, (byte) 'o');
        for (int at = 0; at < chunk.length; at += 100) {
            chunk[at] = '\n';
        }
        OutputLimits limits = OutputLimits.DEFAULT;
        long before = threads.getCurrentThreadAllocatedBytes();
        OutputBuffer buffer =
                new OutputBuffer(new Truncation.On(new OutputLimits(limits.bytes(), limits.lines(), keep)));
        for (long written = 0; written < GIBIBYTE; written += chunk.length) {
            buffer.append(chunk);
        }
        OutputView view = buffer.view();
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_ALLOCATED_BYTES);
        assertThat(view.producedBytes()).isEqualTo(GIBIBYTE);
        assertThat(view.kept()).hasSize(limits.bytes());
    }

    @Property
    void textNeverShowsAPieceOfACharacter(@ForAll @IntRange(max = 40) int cap, @ForAll boolean head) {
        String text = "aé€😀b€é😀";
        OutputBuffer buffer = new OutputBuffer(
                new Truncation.On(new OutputLimits(cap, 100, head ? OutputLimits.Keep.HEAD : OutputLimits.Keep.TAIL)));
        for (byte each : bytes(text)) {
            buffer.append(new byte[] {each});
            String shown = buffer.view().text();
            assertThat(shown).doesNotContain("\ufffd");
            assertThat(text).contains(shown);
        }
        buffer.end();
        assertThat(bytes(buffer.view().text()).length).isGreaterThan(Math.min(cap, bytes(text).length) - 4);
    }

    /** Case 10: whatever the pieces, no character of the text is ever half there, and the bytes are exact. */
    @Property(tries = 200)
    void aCharacterThatArrivesInPartsIsWhole(
            @ForAll @IntRange(max = 5) int first, @ForAll @IntRange(max = 5) int second) {
        byte[] whole = bytes("x\u2014y");
        int from = Math.min(first, second);
        int to = Math.max(first, second);
        OutputBuffer buffer = new OutputBuffer(Truncation.DEFAULT);
        for (int[] piece : new int[][] {{0, from}, {from, to}, {to, whole.length}}) {
            buffer.append(whole, piece[0], piece[1]);
            assertThat("x\u2014y").startsWith(buffer.view().text());
        }
        buffer.end();
        assertThat(buffer.view().text()).isEqualTo("x\u2014y");
        assertThat(buffer.view().kept()).isEqualTo(whole);
    }

    @Test
    void bytesThatAreNoTextAreKeptAndShownAsReplacements() {
        OutputBuffer buffer = new OutputBuffer(new Truncation.Off());
        byte[] raw = {'a', (byte) 0xff, 'b', (byte) 0xc3};
        buffer.append(raw);
        assertThat(buffer.view().text()).isEqualTo("a\ufffdb");
        buffer.end();
        assertThat(buffer.view().text()).isEqualTo("a\ufffdb\ufffd");
        assertThat(buffer.view().kept()).isEqualTo(raw);
    }

    @Test
    void outputThatFitsOrIsNotBoundedWritesNoFile() {
        for (Truncation truncation :
                List.of(new Truncation.Off(), new Truncation.On(new OutputLimits(4, 2, OutputLimits.Keep.HEAD)))) {
            Path file = directory.resolve("none");
            BoundedOutput output = new BoundedOutput(truncation, file);
            output.append(bytes("a\nbc"));
            output.end();
            assertThat(output.artifact()).isEmpty();
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void aTakenNameOrALinkIsNotWrittenToAndNothingOfTheCountIsLost() throws IOException {
        Path target = Files.writeString(directory.resolve("target"), "untouched");
        Path real = Files.createDirectory(directory.resolve("real"));
        Path linkedDirectory = Files.createSymbolicLink(directory.resolve("linked"), real);
        for (Path file : List.of(
                target,
                Files.createSymbolicLink(directory.resolve("link"), target),
                Files.createSymbolicLink(directory.resolve("dangling"), directory.resolve("nowhere")),
                linkedDirectory.resolve("file"),
                directory.resolve("missing/file"))) {
            BoundedOutput output =
                    new BoundedOutput(new Truncation.On(new OutputLimits(2, 9, OutputLimits.Keep.TAIL)), file);
            output.append(bytes("abc"));
            output.append(bytes("de"));
            output.end();
            assertThat(output.artifact()).isEmpty();
            assertThat(output.artifactFailure()).get().asString().contains(file.toString());
            assertThat(output.view().kept()).isEqualTo(bytes("de"));
            assertThat(output.view().droppedBytes()).isEqualTo(3);
        }
        assertThat(target).hasContent("untouched");
        assertThat(directory.resolve("nowhere")).doesNotExist();
        assertThat(real).isEmptyDirectory();
    }
}
