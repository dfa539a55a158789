package org.berth.process.supervisor.journal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The sum of a journal's entries. Not safe for several threads. */
public final class JournalState {
    /** Forgotten keys that are remembered, so that a late repeated spawn is refused. */
    public static final int MAX_FORGOTTEN = 4096;

    private final Map<String, AttemptImage> attempts = new LinkedHashMap<>();
    private final Set<String> forgotten = new LinkedHashSet<>();

    public void apply(Entry entry) {
        switch (entry) {
            case Entry.Spawning spawning -> attempts.put(spawning.attemptKey(), spawning.image());
            case Entry.Whole whole -> attempts.put(whole.attemptKey(), whole.image());
            case Entry.NotSpawned none -> attempts.remove(none.attemptKey());
            case Entry.Spawned spawned -> change(entry, image -> image.spawned(spawned.identity(), spawned.measured()));
            case Entry.Occurred occurred -> change(entry, image -> image.withEvent(occurred.event()));
            case Entry.StopOrdered stop -> change(entry, image -> image.withStop(stop.mode(), stop.deadlineMillis()));
            case Entry.StopDone _ -> change(entry, image -> image.withStop(null, 0));
            case Entry.Fenced fenced -> change(entry, image -> image.withGeneration(fenced.generation()));
            case Entry.OutputDone _ -> change(entry, AttemptImage::withOutputDone);
            case Entry.Undecided _ -> change(entry, AttemptImage::asUndecided);
            case Entry.Recorded recorded -> change(entry, image -> image.withRecorded(recorded.sequence()));
            case Entry.Forgotten gone -> {
                attempts.remove(gone.attemptKey());
                forgotten.add(gone.attemptKey());
                while (forgotten.size() > MAX_FORGOTTEN) {
                    forgotten.remove(forgotten.iterator().next());
                }
            }
        }
    }

    private void change(Entry entry, UnaryOperator<AttemptImage> step) {
        attempts.computeIfPresent(entry.attemptKey(), (_, image) -> step.apply(image));
    }

    public List<AttemptImage> attempts() {
        return List.copyOf(attempts.values());
    }

    public List<String> forgotten() {
        return List.copyOf(forgotten);
    }

    int liveAttempts() {
        return attempts.size();
    }

    /** The shortest entries that sum up to this state. */
    List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        forgotten.forEach(key -> entries.add(new Entry.Forgotten(key)));
        attempts.values().forEach(image -> entries.add(new Entry.Whole(image)));
        return entries;
    }
}
