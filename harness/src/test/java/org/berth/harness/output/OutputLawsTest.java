package org.berth.harness.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The laws of bounded output, over any chunks and any cap. */
class OutputLawsTest {
    @Provide
    Arbitrary<List<byte[]>> chunks() {
        return Outputs.chunks();
    }

    @Provide
    Arbitrary<OutputLimits> limits() {
        return Outputs.limits();
    }

    private static OutputView run(Truncation truncation, List<byte[]> chunks) {
        OutputBuffer buffer = new OutputBuffer(truncation);
        chunks.forEach(buffer::append);
        return buffer.view();
    }

    @Property
    void job_output_bounded(@ForAll("chunks") List<byte[]> chunks, @ForAll("limits") OutputLimits limits) {
        OutputBuffer buffer = new OutputBuffer(new Truncation.On(limits));
        for (byte[] chunk : chunks) {
            buffer.append(chunk);
            byte[] kept = buffer.view().kept();
            assertThat(kept.length).isLessThanOrEqualTo(limits.bytes());
            assertThat(Outputs.lines(kept)).isLessThanOrEqualTo(limits.lines());
        }
    }

    @Property
    void job_no_silent_loss(@ForAll("chunks") List<byte[]> chunks, @ForAll("limits") OutputLimits limits) {
        OutputView view = run(new Truncation.On(limits), chunks);
        byte[] all = Outputs.joined(chunks);
        assertThat(view.kept().length + view.droppedBytes()).isEqualTo(all.length);
        assertThat(view.producedBytes()).isEqualTo(all.length);
        int dropped = Math.toIntExact(view.droppedBytes());
        assertThat(view.kept())
                .isEqualTo(
                        view.keptHead()
                                ? Arrays.copyOf(all, all.length - dropped)
                                : Arrays.copyOfRange(all, dropped, all.length));
    }

    @Property
    void job_optout_keeps_all(@ForAll("chunks") List<byte[]> chunks) {
        OutputView view = run(new Truncation.Off(), chunks);
        assertThat(view.kept()).isEqualTo(Outputs.joined(chunks));
        assertThat(view.droppedBytes()).isZero();
    }

    @Property
    void job_cap_drops_only_excess(@ForAll("chunks") List<byte[]> chunks, @ForAll("limits") OutputLimits limits) {
        OutputView view = run(new Truncation.On(limits), chunks);
        byte[] all = Outputs.joined(chunks);
        if (all.length <= limits.bytes() && Outputs.lines(all) <= limits.lines()) {
            assertThat(view.kept()).isEqualTo(all);
        } else {
            int kept = view.kept().length;
            byte[] oneMore = view.keptHead()
                    ? Arrays.copyOf(all, kept + 1)
                    : Arrays.copyOfRange(all, all.length - kept - 1, all.length);
            assertThat(oneMore.length > limits.bytes() || Outputs.lines(oneMore) > limits.lines())
                    .as("one byte more would not have been within the cap")
                    .isTrue();
        }
    }
}
