package org.berth.harness.frame;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Measures the gate against {@code wc -l} on one file of 4 KiB frames, of plain text and of text with an escaped newline in
 * every 64 bytes: arguments are the directory and the MiB.
 */
final class FrameSpeed {
    private static final int FRAME_BYTES = 4 << 10;
    private static final int ROUNDS = 6;

    private FrameSpeed() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        byte[] plain = Wire.event("stdout", FRAME_BYTES - 1);
        byte[] escaped = plain.clone();
        for (int at = 128; at < escaped.length - 64; at += 64) {
            escaped[at] = '\\';
            escaped[at + 1] = 'n';
        }
        long bytes = Long.parseLong(arguments[1]) << 20;
        measure("plain", Path.of(arguments[0]), plain, bytes);
        measure("escaped", Path.of(arguments[0]), escaped, bytes);
    }

    private static void measure(String name, Path directory, byte[] line, long bytes)
            throws IOException, InterruptedException {
        Path file = Files.createTempFile(directory, "frames", ".ndjson");
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
                for (long at = 0; at < bytes; at += FRAME_BYTES) {
                    out.write(line);
                    out.write('\n');
                }
            }
            for (int round = 0; round < ROUNDS; round++) {
                long gate = gate(file, bytes);
                long wc = wc(file);
                System.out.printf("%s: gate %d MB/s, wc -l %d MB/s%n", name, bytes * 1000 / gate, bytes * 1000 / wc);
            }
        } finally {
            Files.delete(file);
        }
    }

    private static long gate(Path file, long bytes) throws IOException {
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
            int count;
            while ((count = in.read(chunk)) > 0) {
                splitter.feed(chunk, 0, count);
            }
        }
        long took = System.nanoTime() - start;
        if (seen[0] != bytes / FRAME_BYTES) {
            throw new IllegalStateException("saw " + seen[0] + " frames");
        }
        return took;
    }

    private static long wc(Path file) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Process wc = new ProcessBuilder("wc", "-l", file.toString()).start();
        new String(wc.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        wc.waitFor();
        return System.nanoTime() - start;
    }
}
