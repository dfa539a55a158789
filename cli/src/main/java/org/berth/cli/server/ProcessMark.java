package org.berth.cli.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.berth.cli.api.Patience;

/**
 * One very process of this machine, told apart from a later one with the same number.
 *
 * @param startTicks when it started, in clock ticks since boot
 * @param bootId the boot that it belongs to; null when unknown
 */
public record ProcessMark(long pid, long startTicks, String bootId) {
    /** Field 22 of /proc/PID/stat, counted after the command's name (fields 1 and 2). Source: proc_pid_stat(5). */
    private static final int START_TICKS = 22 - 3;

    private static final Duration PAUSE = Duration.ofMillis(50);

    /** The process that has this number now, when its command line holds {@code word}. */
    public static Optional<ProcessMark> of(long pid, String word) {
        try {
            if (!Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"))
                    .contains(word)) {
                return Optional.empty();
            }
            return Optional.of(new ProcessMark(pid, Long.parseLong(stat(pid)[START_TICKS]), currentBootId()));
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    /** It still runs: same boot, same pid, same start. */
    public boolean alive() {
        try {
            if (bootId != null && !bootId.equals(currentBootId())) {
                return false;
            }
            String[] fields = stat(pid);
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

    private static String[] stat(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    private static String currentBootId() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    }
}
