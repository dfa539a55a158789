package org.berth.guest.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.guest.Refused;
import org.berth.guest.Refused.Code;
import org.berth.guest.files.GuestFiles;
import org.berth.guest.json.Json;
import org.berth.guest.os.Signals;

/**
 * The recorded native execution and whether it still runs.
 *
 * @param started its start in clock ticks since boot
 * @param exitCode the code, or a signal's number below zero; null while it runs
 */
public record NativeRecord(String nativeId, String generation, long pid, String started, Long exitCode) {
    /** Where a start is recorded. */
    public static final String PATH = "control/native.json";

    /** Where an exit is recorded. */
    public static final String EXIT_PATH = "control/native-exit.json";

    private static final int START_FIELD = 19;
    private static final String PROGRAM = "claude";

    /**
     * Compares the record with /proc.
     *
     * @throws Refused FILE_MISSING with no record, NATIVE_CHANGED when another process has its number, NATIVE_UNCONFIRMED
     *     when an exit record is of another execution
     */
    public static NativeRecord observe(GuestFiles files) {
        Map<String, Object> value = Json.readObject(files.read(PATH));
        if (!(value.get("pid") instanceof Long pid) || pid <= 0) {
            throw new IllegalArgumentException("no process number");
        }
        NativeRecord record = new NativeRecord(
                Json.text(value.get("nativeId")),
                Json.text(value.get("generation")),
                pid,
                Json.text(value.get("started")),
                null);
        String now = startOf(pid);
        if (record.started().equals(now)) {
            record.requireCommand();
            return record;
        }
        if (now != null && !files.exists(EXIT_PATH)) {
            throw new Refused(Code.NATIVE_CHANGED);
        }
        return record.exited(files);
    }

    private NativeRecord exited(GuestFiles files) {
        Map<String, Object> exit = Json.readObject(files.read(EXIT_PATH));
        if (!nativeId.equals(exit.get("nativeId"))
                || !generation.equals(exit.get("generation"))
                || !Long.valueOf(pid).equals(exit.get("pid"))
                || !(exit.get("exitCode") instanceof Long code)) {
            throw new Refused(Code.NATIVE_UNCONFIRMED);
        }
        return new NativeRecord(nativeId, generation, pid, started, code);
    }

    private void requireCommand() {
        boolean named = false;
        boolean program = false;
        try {
            byte[] line = Files.readAllBytes(Path.of("/proc/" + pid + "/cmdline"));
            for (String field : new String(line, StandardCharsets.UTF_8).split("\0")) {
                named |= field.equals(nativeId);
                program |= field.contains(PROGRAM);
            }
        } catch (IOException e) {
            throw new Refused(Code.NATIVE_CHANGED);
        }
        if (!named || !program) {
            throw new Refused(Code.NATIVE_CHANGED);
        }
    }

    /** The start of process {@code pid} in clock ticks since boot; null when it has ended. */
    static String startOf(long pid) {
        String[] fields = statOf(pid);
        return fields == null || fields[0].equals("Z") || fields[0].equals("X") ? null : fields[START_FIELD];
    }

    /** The same, also of one that ended and was not waited for. */
    static String startOfAny(long pid) {
        String[] fields = statOf(pid);
        return fields == null ? null : fields[START_FIELD];
    }

    /** Fields of its stat from the state on; null when it is gone. */
    private static String[] statOf(long pid) {
        try {
            String stat =
                    new String(Files.readAllBytes(Path.of("/proc/" + pid + "/stat")), StandardCharsets.ISO_8859_1);
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        } catch (IOException e) {
            return null;
        }
    }

    public boolean running() {
        return exitCode == null;
    }

    /** Sends TERM to exactly this execution; one that ended meanwhile gets nothing. */
    public void terminate() {
        Signals.terminate(pid, () -> started.equals(startOf(pid)));
    }

    /** The members of the record file. */
    public Map<String, Object> record() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("nativeId", nativeId);
        value.put("generation", generation);
        value.put("pid", pid);
        value.put("started", started);
        return value;
    }

    /** The members of the exit's file. */
    public Map<String, Object> exitRecord(long code) {
        Map<String, Object> value = record();
        value.remove("started");
        value.put("exitCode", code);
        return value;
    }

    /** The members of a reply. */
    public Map<String, Object> toJson() {
        Map<String, Object> value = record();
        value.put("running", running());
        if (!running()) {
            value.put("exitCode", exitCode);
        }
        return value;
    }
}
