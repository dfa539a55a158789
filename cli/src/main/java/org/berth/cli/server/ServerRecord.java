package org.berth.cli.server;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.berth.cli.api.Json;
import org.berth.cli.api.Patience;

/**
 * What the server's start wrote about itself in {@code server.json}.
 *
 * @param pid its process
 * @param startTicks when that process started, in clock ticks since boot
 * @param bootId the boot that it belongs to; null when the file does not tell
 * @param startedAt ISO 8601
 */
public record ServerRecord(long pid, long startTicks, String bootId, String startedAt) {
    /** Field 22 of /proc/PID/stat, counted after the command's name (fields 1 and 2). Source: proc_pid_stat(5). */
    private static final int START_TICKS = 22 - 3;

    private static final Duration PAUSE = Duration.ofMillis(50);

    /** The record below {@code home}; empty when there is none that can be read. */
    public static Optional<ServerRecord> read(Path home) {
        try {
            return Json.parse(Files.readString(home.resolve("server.json"))).flatMap(ServerRecord::of);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<ServerRecord> of(JsonObject json) {
        OptionalLong pid = Json.number(json, "pid");
        OptionalLong ticks = Json.number(json, "startTicks");
        if (pid.isEmpty() || ticks.isEmpty() || pid.getAsLong() < 2) {
            return Optional.empty();
        }
        return Optional.of(new ServerRecord(
                pid.getAsLong(), ticks.getAsLong(), Json.text(json, "bootId"), Json.text(json, "startedAt")));
    }

    /** The same process still runs: same boot, same pid, same start. */
    public boolean alive() {
        try {
            if (bootId != null
                    && !bootId.equals(Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                            .strip())) {
                return false;
            }
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Long.parseLong(fields[START_TICKS]) == startTicks && !fields[0].equals("Z");
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    /**
     * Sends TERM to this very process.
     *
     * @return false when it runs no longer
     */
    public boolean terminate() {
        // the handle keeps the process's own start, so a later process of the same pid is never signalled
        Optional<ProcessHandle> handle = ProcessHandle.of(pid);
        return handle.isPresent() && alive() && handle.get().destroy();
    }

    /** Waits until it runs no longer. @return false when it still does after {@code bound} */
    public boolean awaitEnd(Duration bound) {
        long deadline = System.nanoTime() + bound.toNanos();
        while (alive()) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            Patience.sleep(PAUSE);
        }
        return true;
    }
}
