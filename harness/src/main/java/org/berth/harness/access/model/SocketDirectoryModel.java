package org.berth.harness.access.model;

/** What becomes of the directory that a socket is to lie in. Source: the harness reference, Local access, 1. */
public final class SocketDirectoryModel {
    private static final int PRIVATE = 0700;
    private static final int GROUP_WRITE = 0020;
    private static final int OTHERS_WRITE = 0002;

    private SocketDirectoryModel() {}

    /** What is at the path, no link followed. */
    public enum Kind {
        NOTHING,
        DIRECTORY,
        LINK,
        FILE
    }

    /**
     * What is there before.
     *
     * @param own whether it, or what this process makes, belongs to the user who is trusted
     * @param mode the permission bits; of no meaning for {@link Kind#NOTHING}
     */
    public record Found(Kind kind, boolean own, int mode) {}

    /** Why it is not used. */
    public enum Problem {
        NO_DIRECTORY,
        ANOTHER_USER,
        OPEN_TO_OTHERS
    }

    /** How it ends. */
    public sealed interface Outcome {
        /** The socket may lie there; the directory has this mode. */
        record Used(int mode) implements Outcome {}

        /** No socket is bound or dialled there. */
        record Refused(Problem problem) implements Outcome {}
    }

    /** The rule: what is missing is made, and then checked as what was there. */
    public static Outcome decide(Found found) {
        return switch (found.kind()) {
            case NOTHING -> decide(new Found(Kind.DIRECTORY, found.own(), PRIVATE));
            case LINK, FILE -> new Outcome.Refused(Problem.NO_DIRECTORY);
            case DIRECTORY -> found.own() ? ofOwn(found.mode()) : new Outcome.Refused(Problem.ANOTHER_USER);
        };
    }

    private static Outcome ofOwn(int mode) {
        return (mode & (GROUP_WRITE | OTHERS_WRITE)) == 0
                ? new Outcome.Used(mode)
                : new Outcome.Refused(Problem.OPEN_TO_OTHERS);
    }
}
