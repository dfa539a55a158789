package org.berth.harness.kernel;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The process groups that a local kernel's commands left, from the journal it kept; for a kernel that was killed, which
 * could not end them itself. Source: guest-helper/kernel/README.md, {@code BERTH_KERNEL_PROCESS_JOURNAL}.
 */
public final class GroupJournal {
    /** A group that had not ended. @param startTicks when its leader started, as {@code /proc/<pid>/stat} counts */
    record Group(long pid, long startTicks) {}

    private GroupJournal() {}

    /**
     * Kills what lives of the journal's groups. The kernel must be gone. A number that a stranger has by now is known by the
     * time of its start, and left alone.
     *
     * @return the processes that got the signal; empty when there is no journal
     */
    public static List<Long> reap(Path journal) throws IOException {
        List<Long> killed = new ArrayList<>();
        for (Group group : open(journal)) {
            for (ProcessStat member : ProcessStat.ofGroup(group.pid())) {
                boolean stranger = member.pid() == group.pid()
                        ? member.startTicks() != group.startTicks()
                        : member.startTicks() < group.startTicks();
                if (stranger) {
                    break;
                }
                if (!member.ended() && kill(member.pid())) {
                    killed.add(member.pid());
                }
            }
        }
        return killed;
    }

    private static boolean kill(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::destroyForcibly).isPresent();
    }

    /** The groups without an end; a last line that the kernel's death cut off counts for nothing. */
    static List<Group> open(Path journal) throws IOException {
        Map<Long, Group> open = new LinkedHashMap<>();
        List<String> lines;
        try {
            lines = Files.readAllLines(journal);
        } catch (NoSuchFileException e) {
            return List.of();
        }
        for (String line : lines) {
            try (JsonReader reader = Json.createReader(new StringReader(line))) {
                JsonObject note = reader.readObject();
                long pid = note.getJsonNumber("pid").longValue();
                if (note.getString("state").equals("started") && !note.isNull("ticks")) {
                    open.put(pid, new Group(pid, note.getJsonNumber("ticks").longValue()));
                } else {
                    open.remove(pid);
                }
            } catch (JsonException | NullPointerException | ClassCastException e) {
                continue;
            }
        }
        return List.copyOf(open.values());
    }
}
