package org.berth.harness.access.model;

import java.util.Optional;

/** What a create or a reopen with a working directory comes to. Source: the harness reference, Local access, 4. */
public final class WorkingDirectoryModel {
    private WorkingDirectoryModel() {}

    /** What is at a path, links followed. */
    public enum There {
        NOTHING,
        FILE,
        DIRECTORY
    }

    /** How it ends. */
    public sealed interface Outcome {
        /** The session works in {@code path}. */
        record Opens(String path) implements Outcome {}

        /** There is no session; {@code sentence} says why. */
        record Refused(String sentence) implements Outcome {}
    }

    /**
     * The rule.
     *
     * @param named by the caller; empty or an empty text for none
     * @param recorded by the session that is opened again; empty for a create
     * @param there what is at the one that counts
     */
    public static Outcome decide(Optional<String> named, Optional<String> recorded, There there) {
        Optional<String> counts = named.filter(path -> !path.isEmpty()).or(() -> recorded);
        if (counts.isEmpty()) {
            return new Outcome.Refused("a session needs a working directory");
        }
        String path = counts.get();
        return switch (there) {
            case NOTHING -> new Outcome.Refused("working directory " + path + " is gone");
            case FILE -> new Outcome.Refused("working directory " + path + " is not a directory");
            case DIRECTORY -> new Outcome.Opens(path);
        };
    }
}
