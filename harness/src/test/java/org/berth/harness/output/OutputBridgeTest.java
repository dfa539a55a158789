package org.berth.harness.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.harness.Bridge;
import org.berth.harness.output.model.OutputModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bounded output with its file, and the model, give the same transcript, byte for byte. */
class OutputBridgeTest {
    private static final int SCENARIOS = 400;

    @TempDir
    private Path directory;

    private enum Rule {
        FITS,
        HEAD_BY_BYTES,
        HEAD_BY_LINES,
        TAIL_BY_BYTES,
        TAIL_BY_LINES,
        OPT_OUT,
        AFTER_THE_END,
        NOTHING_KEPT
    }

    @Test
    void the_output_equals_its_model() {
        AtomicInteger files = new AtomicInteger();
        new Bridge<>(OutputBridgeTest.class, Rule.class)
                .run(
                        SCENARIOS,
                        (random, bridge) ->
                                scenario(random, bridge, directory.resolve("output-" + files.incrementAndGet())));
    }

    private static void scenario(Random random, Bridge<Rule> bridge, Path file) throws IOException {
        Optional<OutputModel.Cap> cap = random.nextInt(6) == 0
                ? Optional.empty()
                : Optional.of(new OutputModel.Cap(random.nextInt(80), random.nextInt(12), random.nextBoolean()));
        Truncation truncation = cap.<Truncation>map(c -> new Truncation.On(new OutputLimits(
                        c.bytes(), c.lines(), c.head() ? OutputLimits.Keep.HEAD : OutputLimits.Keep.TAIL)))
                .orElseGet(Truncation.Off::new);
        BoundedOutput output = new BoundedOutput(truncation, file);
        OutputModel model = OutputModel.empty(cap);
        List<String> real = new ArrayList<>();
        List<String> modelled = new ArrayList<>();
        int events = random.nextInt(14);
        for (int i = 0; i < events; i++) {
            if (random.nextInt(10) == 0) {
                output.end();
                model = model.end();
            } else {
                byte[] chunk = chunk(random);
                if (model.ended()) {
                    bridge.reached(Rule.AFTER_THE_END);
                }
                output.append(chunk);
                model = model.write(Outputs.boxed(chunk));
            }
            real.add(line(output.view()));
            modelled.add(line(model));
        }
        output.end();
        assertThat(output.artifactFailure()).isEmpty();
        real.add("file " + (Files.exists(file) ? hex(Files.readAllBytes(file)) : "none"));
        modelled.add("file " + (model.dropped() > 0 ? hex(bytes(model.produced())) : "none"));
        assertThat(output.artifact().isPresent()).isEqualTo(Files.exists(file, LinkOption.NOFOLLOW_LINKS));
        if (output.artifact().isPresent()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
        assertThat(String.join("\n", real)).isEqualTo(String.join("\n", modelled));
        count(model, bridge);
    }

    private static void count(OutputModel model, Bridge<Rule> bridge) {
        if (model.cap().isEmpty()) {
            bridge.reached(Rule.OPT_OUT);
            return;
        }
        if (model.dropped() == 0) {
            bridge.reached(Rule.FITS);
            return;
        }
        OutputModel.Cap cap = model.cap().get();
        boolean byBytes = model.kept().size() == cap.bytes();
        bridge.reached(
                cap.head()
                        ? byBytes ? Rule.HEAD_BY_BYTES : Rule.HEAD_BY_LINES
                        : byBytes ? Rule.TAIL_BY_BYTES : Rule.TAIL_BY_LINES);
        if (model.kept().isEmpty()) {
            bridge.reached(Rule.NOTHING_KEPT);
        }
    }

    private static byte[] chunk(Random random) {
        byte[] chunk = new byte[random.nextInt(40)];
        random.nextBytes(chunk);
        for (int i = 0; i < chunk.length; i++) {
            if (random.nextInt(6) == 0) {
                chunk[i] = '\n';
            }
        }
        return chunk;
    }

    private static String line(OutputView view) {
        return "kept " + hex(view.kept()) + " dropped " + view.droppedBytes() + " ended " + view.ended();
    }

    private static String line(OutputModel model) {
        return "kept " + hex(bytes(model.kept())) + " dropped " + model.dropped() + " ended " + model.ended();
    }

    private static byte[] bytes(List<Byte> boxed) {
        byte[] bytes = new byte[boxed.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = boxed.get(i);
        }
        return bytes;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
