package org.berth.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.berth.cli.api.Json;

/** What is shown of an output that is looked at now and then. */
class LiveOutputTest {
    private static final Pattern LOST = Pattern.compile("berth: (\\d+) bytes of the output were not kept\n");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private LiveOutput live(boolean keepsHead) {
        return new LiveOutput(out, new PrintStream(err, true, StandardCharsets.UTF_8), keepsHead);
    }

    /** The answer of a server that keeps {@code cap} bytes of one end of {@code produced} bytes: 0, 1, 2, and so on. */
    private static JobAnswer answer(int produced, int cap, boolean keepsHead) {
        int kept = Math.min(produced, cap);
        byte[] all = bytes(produced);
        byte[] output = keepsHead ? Arrays.copyOf(all, kept) : Arrays.copyOfRange(all, produced - kept, produced);
        return JobAnswer.of(Json.object()
                .add("job", "j1")
                .add("exitCode", 0)
                .add("outputBase64", Base64.getEncoder().encodeToString(output))
                .add("droppedBytes", produced - kept)
                .build());
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    private long lost() {
        return LOST.matcher(err.toString(StandardCharsets.UTF_8))
                .results()
                .mapToLong(each -> Long.parseLong(each.group(1)))
                .sum();
    }

    @Property(tries = 300)
    void what_is_shown_and_what_is_told_missing_are_what_was_produced(
            @ForAll @Size(min = 1, max = 8) List<@IntRange(max = 30) Integer> growth,
            @ForAll @IntRange(max = 60) int cap,
            @ForAll boolean keepsHead) {
        out.reset();
        err.reset();
        LiveOutput live = live(keepsHead);
        int produced = 0;
        for (int more : growth) {
            produced += more;
            live.show(answer(produced, cap, keepsHead));
        }
        live.end(answer(produced, cap, keepsHead));

        assertThat(out.size() + lost()).isEqualTo(produced);
        byte[] shown = out.toByteArray();
        for (int i = 1; i < shown.length; i++) {
            assertThat(Byte.toUnsignedInt(shown[i])).isGreaterThan(Byte.toUnsignedInt(shown[i - 1]));
        }
    }

    @Property(tries = 300)
    void looks_that_are_close_enough_show_every_byte(
            @ForAll @Size(min = 1, max = 8) List<@IntRange(max = 40) Integer> growth,
            @ForAll @IntRange(min = 40, max = 60) int cap) {
        out.reset();
        err.reset();
        LiveOutput live = live(false);
        int produced = 0;
        for (int more : growth) {
            produced += more;
            live.show(answer(produced, cap, false));
        }
        live.end(answer(produced, cap, false));

        assertThat(out.toByteArray()).isEqualTo(bytes(produced));
        assertThat(err.size()).isZero();
    }
}
