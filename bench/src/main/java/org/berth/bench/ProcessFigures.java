package org.berth.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * What the kernel tells of one process.
 *
 * @param threads how many it has
 * @param residentKibibytes what of it is in memory
 * @param waits how often its threads went to sleep of their own (voluntary_ctxt_switches), that is, were woken
 */
record ProcessFigures(int threads, long residentKibibytes, long waits) {
    static ProcessFigures of(long pid) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        int threads = 0;
        long waits = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path task : tasks) {
                try {
                    waits += field(task.resolve("status"), "voluntary_ctxt_switches:");
                    threads++;
                } catch (NoSuchFileException e) {
                    // The thread ended while the folder was read.
                    continue;
                }
            }
        }
        return new ProcessFigures(threads, field(process.resolve("status"), "VmRSS:"), waits);
    }

    private static long field(Path status, String name) throws IOException {
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(
                        line.substring(name.length()).replace("kB", "").strip()))
                .findFirst()
                .orElseThrow(() -> new BenchmarkException("no " + name + " in " + status));
    }

    ProcessFigures plus(ProcessFigures other) {
        return new ProcessFigures(
                threads + other.threads, residentKibibytes + other.residentKibibytes, waits + other.waits);
    }
}
