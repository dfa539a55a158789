package org.berth.harness.setup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One very process of this machine, told apart from a later one with the same number. Source: proc_pid_stat(5), fields 3 and
 * 22, counted after the command's name.
 *
 * @param startTicks when it started, in clock ticks since the boot
 * @param bootId the boot that it belongs to
 */
record LockOwner(long pid, long startTicks, String bootId) {
    private static final int STATE = 0;
    private static final int START_TICKS = 22 - 3;
    private static final int WORDS = 3;

    /** This process. */
    static LockOwner current() throws IOException {
        return ofProcess(ProcessHandle.current().pid());
    }

    /** The process that has this number now. */
    static LockOwner ofProcess(long pid) throws IOException {
        return new LockOwner(pid, Long.parseLong(stat(pid)[START_TICKS]), currentBootId());
    }

    /** The owner that {@link #text()} wrote; empty for any other text. */
    static Optional<LockOwner> of(String text) {
        String[] words = text.strip().split(" ");
        if (words.length < WORDS) {
            return Optional.empty();
        }
        try {
            return Optional.of(new LockOwner(Long.parseLong(words[0]), Long.parseLong(words[1]), words[2]));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Whether some process has this number. */
    static boolean exists(long pid) {
        return Files.exists(Path.of("/proc", Long.toString(pid)));
    }

    /** Whether this very process runs: same boot, same number, same start. */
    boolean alive() {
        try {
            String[] fields = stat(pid);
            return bootId.equals(currentBootId())
                    && Long.parseLong(fields[START_TICKS]) == startTicks
                    && !fields[STATE].equals("Z");
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    String text() {
        return pid + " " + startTicks + " " + bootId;
    }

    private static String[] stat(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    private static String currentBootId() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    }
}
