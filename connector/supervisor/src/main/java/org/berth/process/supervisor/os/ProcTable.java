package org.berth.process.supervisor.os;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Looks at every process of the machine. A look takes milliseconds: not for the event loop. */
public final class ProcTable {
    private static final String BOOT_ID = readBootId();

    private ProcTable() {}

    /** The kernel's random id of this boot. */
    public static String bootId() {
        return BOOT_ID;
    }

    private static String readBootId() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException e) {
            throw new IllegalStateException("/proc/sys/kernel/random/boot_id is not readable", e);
        }
    }

    /** Every process that {@code wanted} accepts. */
    public static List<ProcStat> find(Predicate<ProcStat> wanted) {
        List<ProcStat> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(
                Path.of("/proc"),
                entry -> Character.isDigit(entry.getFileName().toString().charAt(0)))) {
            for (Path entry : entries) {
                ProcStat stat = ProcStat.of(Long.parseLong(entry.getFileName().toString()));
                if (stat != null && wanted.test(stat)) {
                    found.add(stat);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("/proc is not readable", e);
        }
        return found;
    }

    /** The live members of a process group. */
    public static List<ProcStat> group(long group) {
        return PidFd.groupAnswers(group) ? find(stat -> stat.group() == group && stat.live()) : List.of();
    }

    /** Whether the process of that number started at {@code startTicks} and has not ended. */
    public static boolean alive(long pid, long startTicks) {
        ProcStat stat = ProcStat.of(pid);
        return stat != null && stat.live() && stat.startTicks() == startTicks;
    }

    /** Whether the process is the first one of a PID namespace below ours. */
    public static boolean leadsNamespace(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"), StandardCharsets.ISO_8859_1)) {
            return lines.anyMatch(line -> line.startsWith("NSpid:") && line.matches("NSpid:.*\\d\\s+1"));
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    /** The file that the process executes; null when that is not told. */
    public static Path program(long pid) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + pid + "/exe"));
        } catch (IOException e) {
            return null;
        }
    }

    /** Every live group leader whose environment, as it was at exec, holds {@code item} ({@code NAME=value}). */
    public static List<ProcStat> leadersWith(String item) {
        return find(stat -> stat.pid() == stat.group() && stat.live() && environmentHolds(stat.pid(), item));
    }

    private static boolean environmentHolds(long pid, String item) {
        try {
            String environment =
                    new String(Files.readAllBytes(Path.of("/proc/" + pid + "/environ")), StandardCharsets.ISO_8859_1);
            return ("\0" + environment + "\0").contains("\0" + item + "\0");
        } catch (IOException e) {
            return false;
        }
    }
}
