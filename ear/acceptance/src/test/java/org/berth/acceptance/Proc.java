package org.berth.acceptance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the kernel says of processes, from /proc. A process that is gone has no value. */
public final class Proc {
    private Proc() {}

    /** Every process id. */
    public static List<Long> all() {
        try (var names = Files.list(Path.of("/proc"))) {
            return names.map(path -> path.getFileName().toString())
                    .filter(name -> name.chars().allMatch(Character::isDigit))
                    .map(Long::valueOf)
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** A file below /proc/PID as bytes without a change of encoding; empty when it is gone or not ours to read. */
    public static String read(long pid, String name) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/" + name), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** There, and no zombie. */
    public static boolean lives(long pid) {
        String stat = read(pid, "stat");
        return !stat.isEmpty() && stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
    }

    /** Field {@code n} of /proc/PID/stat, counted from 1 as in proc(5); n is over 2. */
    public static String stat(long pid, int n) {
        String stat = read(pid, "stat");
        return stat.isEmpty() ? "" : stat.substring(stat.lastIndexOf(')') + 2).split(" ")[n - 3];
    }

    public static List<String> arguments(long pid) {
        return List.of(read(pid, "cmdline").split("\0"));
    }

    public static List<String> environment(long pid) {
        return List.of(read(pid, "environ").split("\0"));
    }

    /** Its environment by name. */
    public static Map<String, String> variables(long pid) {
        Map<String, String> all = new TreeMap<>();
        environment(pid).stream().filter(entry -> entry.indexOf('=') > 0).forEach(entry -> {
            int end = entry.indexOf('=');
            all.put(entry.substring(0, end), entry.substring(end + 1));
        });
        return all;
    }

    /** Resident memory in bytes; 0 when it is gone. */
    public static long residentBytes(long pid) {
        return read(pid, "status")
                .lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                .findFirst()
                .orElse(0);
    }

    /** The processes whose environment holds {@code entry}, such as {@code NAME=value}. */
    public static List<Long> withEnvironment(String entry) {
        return all().stream().filter(pid -> environment(pid).contains(entry)).toList();
    }

    /** The live members of a process group. */
    public static List<Long> group(long group) {
        List<Long> members = new ArrayList<>();
        for (long pid : all()) {
            if (stat(pid, 5).equals(Long.toString(group)) && lives(pid)) {
                members.add(pid);
            }
        }
        return members;
    }
}
