package org.berth.environment.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The processes of this host as {@code /proc} shows them. Source: proc(5). */
final class HostProc {
    private static final int FIELDS_BEFORE_START = 19;

    private final Path proc;

    HostProc(Path proc) {
        this.proc = proc;
    }

    /** @param startTicks clock ticks since boot */
    record Seen(long pid, char state, long parent, long startTicks) {
        boolean live() {
            return state != 'Z' && state != 'X';
        }
    }

    String bootId() {
        try {
            return Files.readString(proc.resolve("sys/kernel/random/boot_id")).strip();
        } catch (IOException e) {
            throw new IllegalStateException("the boot id cannot be read", e);
        }
    }

    /** Whether exactly this process still runs. */
    boolean alive(ProcessMark mark) {
        return mark.bootId().equals(bootId())
                && seen(mark.pid())
                        .filter(found -> found.live() && found.startTicks() == mark.startTicks())
                        .isPresent();
    }

    Optional<Seen> seen(long pid) {
        try {
            String stat = Files.readString(proc.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Optional.of(new Seen(
                    pid, fields[0].charAt(0), Long.parseLong(fields[1]), Long.parseLong(fields[FIELDS_BEFORE_START])));
        } catch (IOException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    /** The live process below {@code init} whose number in its innermost namespace is {@code inner}. */
    Optional<Seen> inside(ProcessMark init, long inner) {
        return below(init.pid()).stream()
                .filter(found -> found.live() && innermost(found.pid()) == inner)
                .findFirst();
    }

    /** The live processes below {@code ancestor}. */
    List<Seen> below(long ancestor) {
        Map<Long, Seen> all = new HashMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path entry : entries) {
                long pid = Long.parseLong(entry.getFileName().toString());
                seen(pid).ifPresent(found -> all.put(pid, found));
            }
        } catch (IOException e) {
            throw new IllegalStateException("the processes of this host cannot be listed", e);
        }
        List<Seen> below = new ArrayList<>();
        for (Seen each : all.values()) {
            Seen at = each;
            while (at != null && at.parent() != ancestor) {
                at = all.get(at.parent());
            }
            if (at != null && each.live()) {
                below.add(each);
            }
        }
        return below;
    }

    /** The arguments of a process, its program first; empty when it is gone. */
    List<String> arguments(long pid) {
        try {
            return List.of(Files.readString(proc.resolve(pid + "/cmdline"), StandardCharsets.ISO_8859_1)
                    .split("\0"));
        } catch (IOException e) {
            return List.of();
        }
    }

    /** The process's program as it was started; its short name when it shows none. */
    String program(long pid) {
        List<String> arguments = arguments(pid);
        if (!arguments.isEmpty() && !arguments.getFirst().isEmpty()) {
            return arguments.getFirst();
        }
        try {
            return Files.readString(proc.resolve(pid + "/comm"), StandardCharsets.ISO_8859_1)
                    .strip();
        } catch (IOException e) {
            return "gone";
        }
    }

    /** The process's number in its innermost namespace; 0 when it is gone. */
    long innermost(long pid) {
        try {
            for (String line : Files.readAllLines(proc.resolve(pid + "/status"), StandardCharsets.ISO_8859_1)) {
                if (line.startsWith("NSpid:")) {
                    String[] numbers = line.substring("NSpid:".length()).strip().split("\\s+");
                    return Long.parseLong(numbers[numbers.length - 1]);
                }
            }
        } catch (IOException e) {
            return 0;
        }
        return 0;
    }
}
