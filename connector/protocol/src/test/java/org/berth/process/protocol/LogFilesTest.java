package org.berth.process.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.berth.placement.OutputStreamKind;
import org.berth.placement.OutputTruncation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFilesTest {
    private static long lines(String text) {
        return text.isEmpty() ? 0 : text.lines().count();
    }

    @Property
    void theKeptEndIsTheLongestOneWithinBothLimits(
            @ForAll @StringLength(max = 60) @net.jqwik.api.constraints.Chars({'a', '\n'}) String text,
            @ForAll @IntRange(max = 40) int bytes,
            @ForAll @IntRange(max = 8) int lines) {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        OutputTruncation limits = new OutputTruncation(true, bytes, lines, false);
        String kept = new String(LogFiles.cut(all, limits), StandardCharsets.UTF_8);
        String longest = "";
        for (int from = text.length(); from >= 0; from--) {
            String candidate = text.substring(from);
            if (candidate.length() <= bytes && lines(candidate) <= lines) {
                longest = candidate;
            }
        }
        assertThat(kept).isEqualTo(longest);
    }

    @Property
    void theKeptBeginningIsTheLongestOneWithinBothLimits(
            @ForAll @StringLength(max = 60) @net.jqwik.api.constraints.Chars({'a', '\n'}) String text,
            @ForAll @IntRange(max = 40) int bytes,
            @ForAll @IntRange(max = 8) int lines) {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        OutputTruncation limits = new OutputTruncation(true, bytes, lines, true);
        String kept = new String(LogFiles.cut(all, limits), StandardCharsets.UTF_8);
        String longest = "";
        for (int end = 0; end <= text.length(); end++) {
            String candidate = text.substring(0, end);
            if (candidate.length() <= bytes && lines(candidate) <= lines) {
                longest = candidate;
            }
        }
        assertThat(kept).isEqualTo(longest);
    }

    @Test
    void aSummaryReadsBackAsItWasWritten() throws IOException {
        LogFiles.Summary summary = new LogFiles.Summary(
                OutputTruncation.DEFAULT,
                true,
                Map.of(OutputStreamKind.TTY, new LogFiles.Counts(10, 4, 6, true, false)));
        assertThat(LogFiles.parse(LogFiles.format(summary))).isEqualTo(summary);
    }

    @Test
    void partsAreReadAsOneStreamWhileTheyAreWritten(@TempDir Path directory) throws IOException {
        OutputTruncation limits = new OutputTruncation(true, 6, 100, false);
        Files.writeString(
                directory.resolve(LogFiles.SUMMARY),
                LogFiles.format(new LogFiles.Summary(
                        limits, false, Map.of(OutputStreamKind.STDOUT, new LogFiles.Counts(0, 0, 0, false, false)))));
        Files.writeString(LogFiles.part(directory, OutputStreamKind.STDOUT, 100), "abcdef");
        Files.writeString(LogFiles.part(directory, OutputStreamKind.STDOUT, 106), "ghi");
        LogFiles.Kept kept = LogFiles.read(directory, OutputStreamKind.STDOUT);
        assertThat(kept.text()).isEqualTo("defghi");
        assertThat(kept.counts()).isEqualTo(new LogFiles.Counts(109, 6, 103, false, false));
    }

    @Test
    void aCutNeverSplitsACharacterInTheText() {
        byte[] all = "x—y".getBytes(StandardCharsets.UTF_8);
        OutputTruncation tail = new OutputTruncation(true, 2, 10, false);
        byte[] kept = LogFiles.cut(all, tail);
        LogFiles.Counts counts = new LogFiles.Counts(5, 2, 3, true, false);
        assertThat(new LogFiles.Kept(kept, counts).text()).isEqualTo("y");
        byte[] head = LogFiles.cut(all, new OutputTruncation(true, 3, 10, true));
        assertThat(new LogFiles.Kept(head, counts).text()).isEqualTo("x");
    }
}
