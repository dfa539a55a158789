package org.berth.process.supervisor.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What /proc/PID/stat tells of a process. Fields are counted after the last {@code )}, since a command's name may hold
 * blanks and brackets.
 *
 * @param state one letter; Z and X are ended
 * @param startTicks clock ticks from boot to its start
 */
public record ProcStat(long pid, char state, long parent, long group, long session, long startTicks) {
    /** The process's stat; null when there is no such process. */
    public static ProcStat of(long pid) {
        try {
            return parse(Files.readAllBytes(Path.of("/proc/" + pid + "/stat")));
        } catch (IOException e) {
            return null;
        }
    }

    static ProcStat parse(byte[] stat) {
        String text = new String(stat, StandardCharsets.ISO_8859_1);
        int end = text.lastIndexOf(')');
        if (end < 0) {
            return null;
        }
        long pid = Long.parseLong(text.substring(0, text.indexOf(' ')));
        String[] fields = text.substring(end + 2).split(" ");
        return new ProcStat(
                pid,
                fields[0].charAt(0),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                Long.parseLong(fields[19]));
    }

    /** Neither a zombie nor dead. */
    public boolean live() {
        return state != 'Z' && state != 'X';
    }
}
