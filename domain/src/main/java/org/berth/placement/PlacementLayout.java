package org.berth.placement;

import java.nio.file.Path;

/**
 * Where placement keeps what it owns below its root. Source: placement.md, Start, step 3.
 *
 * @param root absolute path of {@code $BERTH_HOME/placement}
 */
public record PlacementLayout(Path root) {
    public PlacementLayout {
        if (!root.isAbsolute()) {
            throw new IllegalArgumentException("the placement root is an absolute path");
        }
    }

    /** The directory that a proven cleanup removes. */
    public Path attemptDirectory(String attemptKey) {
        return below("attempts", attemptKey);
    }

    /** An attempt's private home. */
    public Path attemptHome(String attemptKey) {
        return attemptDirectory(attemptKey).resolve("home");
    }

    /** The directory of a retained session: its home and its identity marker. */
    public Path sessionDirectory(String sessionKey) {
        return below("sessions", sessionKey);
    }

    /** A retained session's home. */
    public Path sessionHome(String sessionKey) {
        return sessionDirectory(sessionKey).resolve("home");
    }

    /** Where the supervisor keeps an attempt's output; outlives the cleanup. */
    public Path outputDirectory(String attemptKey) {
        return below("output", attemptKey);
    }

    private Path below(String kind, String key) {
        if (!AttemptKeys.isKey(key)) {
            throw new IllegalArgumentException("not a derived key: " + key);
        }
        return root.resolve(kind).resolve(key);
    }
}
