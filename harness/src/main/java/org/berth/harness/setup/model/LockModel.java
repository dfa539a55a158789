package org.berth.harness.setup.model;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** One attempt on the bootstrap lock. Source: the harness reference, kernel environment, 5. */
public final class LockModel {
    private LockModel() {}

    /** What a file in the lock's directory is. */
    public enum Kind {
        /** Of a process that runs: a candidate or a stale lock. */
        LIVE_LEFTOVER,
        /** Of a process that is gone. */
        DEAD_LEFTOVER,
        OTHER
    }

    /** The lock before the attempt. */
    public enum Lock {
        FREE,
        LIVE,
        DEAD
    }

    /**
     * The directory after it.
     *
     * @param held whether the lock is the caller's
     * @param files beside the lock
     */
    public record End(boolean held, SortedMap<String, Kind> files) {}

    /** The rule. @param files beside the lock, by name */
    public static End attempt(Lock lock, Map<String, Kind> files) {
        SortedMap<String, Kind> left = new TreeMap<>(files);
        left.values().removeIf(kind -> kind == Kind.DEAD_LEFTOVER);
        return new End(lock != Lock.LIVE, left);
    }
}
