package org.berth.cli;

/** A command that cannot go on: what happened, what to do next, and the exit code. */
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;
    private final String next;

    private Failure(int exitCode, String message, String next) {
        super(message);
        this.exitCode = exitCode;
        this.next = next;
    }

    /** Refused or failed. {@code next} says what to do; null when there is nothing to say. */
    public static Failure failed(String message, String next) {
        return new Failure(ExitCodes.FAILED, message, next);
    }

    /** A command line that the parser accepts and its meaning refuses. */
    public static Failure usage(String message) {
        return new Failure(ExitCodes.USAGE, message, null);
    }

    /** No server answers. */
    public static Failure unreachable(String message, String next) {
        return new Failure(ExitCodes.UNREACHABLE, message, next);
    }

    public int exitCode() {
        return exitCode;
    }

    /** What to do next; null when there is nothing to say. */
    public String next() {
        return next;
    }
}
