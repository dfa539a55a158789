package org.berth.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What the kernel tells of one process.
 *
 * @param threads how many it has
 * @param residentKibibytes what of it is in memory
 * @param waits how often each of its threads went to sleep of its own (voluntary_ctxt_switches), that is, was woken
 */
record ProcessFigures(int threads, long residentKibibytes, Map<String, Long> waits) {
    static ProcessFigures of(long pid) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        Map<String, Long> waits = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path task : tasks) {
                try {
                    waits.put(task.toString(), field(task.resolve("status"), "voluntary_ctxt_switches:"));
                } catch (NoSuchFileException e) {
                    // The thread ended while the folder was read.
                    continue;
                }
            }
        }
        return new ProcessFigures(waits.size(), field(process.resolve("status"), "VmRSS:"), waits);
    }

    private static long field(Path status, String name) throws IOException {
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(
                        line.substring(name.length()).replace("kB", "").strip()))
                .findFirst()
                .orElseThrow(() -> new BenchmarkException("no " + name + " in " + status));
    }

    /** Two processes together. */
    ProcessFigures plus(ProcessFigures other) {
        Map<String, Long> both = new HashMap<>(waits);
        both.putAll(other.waits);
        return new ProcessFigures(threads + other.threads, residentKibibytes + other.residentKibibytes, both);
    }

    /** How often threads were woken since {@code before}; what a thread did that ended meanwhile is not known. */
    long wakesSince(ProcessFigures before) {
        return waits.entrySet().stream()
                .mapToLong(each -> each.getValue() - before.waits.getOrDefault(each.getKey(), 0L))
                .sum();
    }
}
