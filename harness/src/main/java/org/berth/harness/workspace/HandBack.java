package org.berth.harness.workspace;

import java.util.List;
import java.util.Optional;

/**
 * What a hand-back did, for the child's report. Paths are from the parent's directory, sorted.
 *
 * @param taken paths whose content is now the child's
 * @param removed paths that the child removed and the parent no longer has
 * @param conflicts paths where the parent's stays though the child has another version
 * @param same paths that both changed to the same
 * @param unchanged paths that the child left as they were
 */
public record HandBack(List<String> taken, List<String> removed, List<Conflict> conflicts, long same, long unchanged) {
    public HandBack {
        taken = List.copyOf(taken);
        removed = List.copyOf(removed);
        conflicts = List.copyOf(conflicts);
    }

    /** Why the parent's version stays. */
    public enum Reason {
        /** Both changed it, to different contents. */
        BOTH_CHANGED,
        /** A directory is at the path, or a file or link where one of its directories goes. */
        NO_ROOM_FOR_A_FILE,
        /** The child's file is empty and the machine was restarted since the copy: its bytes may never have reached the disk. */
        PERHAPS_LOST
    }

    /**
     * One conflict.
     *
     * @param childVersion the absolute path of the child's version; empty when the child removed the path
     */
    public record Conflict(String path, Reason reason, Optional<String> childVersion) {}
}
