package org.berth.cli;

/** What the program's exit codes mean. Source: api.md, Commands a person types. */
public final class ExitCodes {
    /** Done. */
    public static final int DONE = 0;
    /** The server refused, or the work failed; the message is on stderr. */
    public static final int FAILED = 1;
    /** The command line is not understood. */
    public static final int USAGE = 2;
    /** No server answers. */
    public static final int UNREACHABLE = 3;
    /** {@code run --timeout} ended the command, or a job of a session outlasts the wait. Source: GNU timeout(1). */
    public static final int TIMED_OUT = 124;

    private static final int SIGNAL_BASE = 128;

    private ExitCodes() {}

    /** 128+n, as shells report a command that signal {@code n} ended. */
    public static int ofSignal(int signal) {
        return SIGNAL_BASE + signal;
    }
}
