package org.berth.harness.setup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A process that takes a bootstrap lock a number of times, and dies with it the last time. */
final class LockContender {
    private LockContender() {}

    public static void main(String[] arguments) throws IOException {
        Path lock = Path.of(arguments[0]);
        Path log = Path.of(arguments[1]);
        int times = Integer.parseInt(arguments[2]);
        String name = arguments[3];
        for (int i = 1; i <= times; ) {
            if (BootstrapLock.attempt(lock) instanceof BootstrapLock.Attempt.Held(BootstrapLock mine)) {
                write(log, "in " + name);
                if (i == times) {
                    Runtime.getRuntime().halt(0);
                }
                write(log, "out " + name);
                mine.close();
                i++;
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private static void write(Path log, String line) throws IOException {
        Files.write(log, (line + "\n").getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
    }
}
