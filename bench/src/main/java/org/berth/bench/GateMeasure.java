package org.berth.bench;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.harness.frame.Admission;
import org.berth.harness.frame.FrameLimits;
import org.berth.harness.frame.FrameSplitter;
import org.berth.harness.frame.Gate;

/**
 * The frame gate on 4 KiB frames from a file, beside {@code wc -l} on the same file, which is in the page cache for both. Source
 * of the aim: issue on the harness, Speed.
 */
final class GateMeasure {
    private static final int FRAME_BYTES = 4 << 10;
    private static final int ESCAPE_EVERY = 64;
    private static final double PART_OF_WC = 0.25;

    private final Target target;
    private final Plan plan;

    GateMeasure(Target target, Plan plan) {
        this.target = target;
        this.plan = plan;
    }

    List<Row> rows() throws IOException, InterruptedException {
        byte[] plain = frame();
        byte[] escaped = plain.clone();
        for (int at = 2 * ESCAPE_EVERY; at < escaped.length - ESCAPE_EVERY; at += ESCAPE_EVERY) {
            escaped[at] = '\\';
            escaped[at + 1] = 'n';
        }
        return List.of(row("plain text", plain), row("an escaped newline every 64 bytes", escaped));
    }

    /** One line with its newline. */
    private static byte[] frame() {
        String start = "{\"event\": \"stdout\", \"id\": null, \"text\": \"";
        String end = "\"}\n";
        return (start + "p".repeat(FRAME_BYTES - start.length() - end.length()) + end)
                .getBytes(StandardCharsets.US_ASCII);
    }

    private Row row(String what, byte[] frame) throws IOException, InterruptedException {
        Path file = Files.createTempFile(target.home().getParent(), "frames", ".ndjson");
        try {
            long frames = ((long) plan.outputMebibytes() << 20) / FRAME_BYTES;
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
                for (long i = 0; i < frames; i++) {
                    out.write(frame);
                }
            }
            gate(file, frames);
            double[] gate = new double[plan.rounds()];
            double[] wc = new double[plan.rounds()];
            for (int round = 0; round < plan.rounds(); round++) {
                gate[round] = frames * FRAME_BYTES * 1e3 / gate(file, frames);
                wc[round] = frames * FRAME_BYTES * 1e3 / wc(file, frames);
            }
            double ratio = Samples.median(gate) / Samples.median(wc);
            return new Row(
                    "frame gate, frames of 4 KiB, " + what,
                    Row.number(Samples.median(gate)) + " MB/s",
                    "`wc -l` " + Row.number(Samples.median(wc)) + " MB/s",
                    Row.number(ratio) + "x",
                    "at least 0.25x",
                    ratio >= PART_OF_WC);
        } finally {
            Files.delete(file);
        }
    }

    private static long gate(Path file, long frames) throws IOException {
        long[] seen = new long[1];
        Gate gate = new Gate(FrameLimits.DEFAULT, type -> false, reply -> {}, decision -> {
            if (decision instanceof Admission.Event) {
                seen[0]++;
            }
        });
        FrameSplitter splitter = new FrameSplitter(FrameLimits.DEFAULT, gate);
        byte[] chunk = new byte[FrameLimits.READ_BYTES];
        long start = System.nanoTime();
        try (InputStream in = Files.newInputStream(file)) {
            for (int count = in.read(chunk); count > 0; count = in.read(chunk)) {
                splitter.feed(chunk, 0, count);
            }
        }
        long took = System.nanoTime() - start;
        require("the gate", seen[0], frames);
        return took;
    }

    private static long wc(Path file, long frames) throws IOException, InterruptedException {
        long start = System.nanoTime();
        String told = Commands.run("wc", "-l", file.toString());
        long took = System.nanoTime() - start;
        require("wc", Long.parseLong(told.split(" ")[0]), frames);
        return took;
    }

    private static void require(String who, long seen, long frames) {
        if (seen != frames) {
            throw new BenchmarkException(who + " saw " + seen + " of " + frames + " frames");
        }
    }
}
