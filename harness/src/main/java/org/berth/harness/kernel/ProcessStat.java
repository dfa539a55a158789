package org.berth.harness.kernel;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A process as {@code /proc/<pid>/stat} tells it. Source: proc(5), fields 1, 3, 5 and 22.
 *
 * @param ended whether it only waits to be reaped
 * @param startTicks clock ticks from the machine's start
 */
record ProcessStat(long pid, boolean ended, long group, long startTicks) {
    private static final Path PROC = Path.of("/proc");
    private static final int STATE = 0;
    private static final int GROUP = 2;
    private static final int START = 19;

    /** The processes of a group, its leader first if it lives. */
    static List<ProcessStat> ofGroup(long group) throws IOException {
        List<ProcessStat> members = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                read(process).filter(stat -> stat.group() == group).ifPresent(members::add);
            }
        }
        members.sort(
                Comparator.comparing((ProcessStat stat) -> stat.pid() != group).thenComparing(ProcessStat::pid));
        return members;
    }

    private static Optional<ProcessStat> read(Path process) {
        String text;
        try {
            text = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // It ended while it was listed.
            return Optional.empty();
        }
        String[] fields = text.substring(text.lastIndexOf(')') + 1).strip().split(" ");
        return fields.length <= START
                ? Optional.empty()
                : Optional.of(new ProcessStat(
                        Long.parseLong(process.getFileName().toString()),
                        fields[STATE].equals("Z"),
                        Long.parseLong(fields[GROUP]),
                        Long.parseLong(fields[START])));
    }
}
