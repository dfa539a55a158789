package org.berth.harness.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The running jobs of one session, each with the last entry that was committed before its start. The order of entry
 * commits decides what a rewind stops, never the documents, which are committed later. Entries are numbered from 1 in the
 * order of their commits, and numbers are never used again.
 */
public final class JobTable {
    /** A running job and what runs it. */
    public record Running(Job job, JobOwner owner, long startedAfterEntry) {
        public Running {
            Objects.requireNonNull(job);
            Objects.requireNonNull(owner);
        }
    }

    private final Map<String, Running> running = new LinkedHashMap<>();
    private long lastEntry;

    /** @param lastEntry the latest entry that the session had committed when it was opened, 0 for none */
    public JobTable(long lastEntry) {
        this.lastEntry = lastEntry;
    }

    /** An entry was committed; called in the order of the commits, at the moment of each. */
    public synchronized void observe(long entry) {
        lastEntry = Math.max(lastEntry, entry);
    }

    /** The latest entry, to be stored with a job before its spawn. */
    public synchronized long lastEntry() {
        return lastEntry;
    }

    /** A job starts now; returns the entry that it starts after. */
    public synchronized long start(Job job, JobOwner owner) {
        long after = lastEntry;
        add(new Running(job, owner, after));
        return after;
    }

    /** A job whose start is known: stored before its spawn, or before a restart that it survived. */
    public synchronized void add(Running job) {
        if (running.putIfAbsent(job.job().id(), job) != null) {
            throw new IllegalArgumentException("a job with the id " + job.job().id() + " runs already");
        }
    }

    /** A job has ended. */
    public synchronized void ended(String id) {
        running.remove(id);
    }

    /** The running jobs, in the order of their starts. */
    public synchronized List<Running> running() {
        return List.copyOf(running.values());
    }

    /**
     * Which running jobs a rewind to {@code entry} must kill: those that started after its commit. All others stay as they
     * are.
     *
     * @param entry 0 goes back to before every entry
     */
    public synchronized List<Running> rewindTo(long entry) {
        List<Running> orphans = new ArrayList<>();
        for (Running each : running.values()) {
            if (each.startedAfterEntry() >= entry) {
                orphans.add(each);
            }
        }
        return orphans;
    }
}
