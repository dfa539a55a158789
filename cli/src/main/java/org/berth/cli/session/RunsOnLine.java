package org.berth.cli.session;

import java.io.PrintStream;
import java.time.Duration;
import org.berth.cli.output.Tables;

/**
 * Tells on stderr that a job goes on: one line that is drawn anew at a terminal, elsewhere a line when it begins and one
 * a minute, so that a log shows life without filling up.
 */
public final class RunsOnLine {
    private static final String CLEAR = "\r\033[K";
    private static final Duration BETWEEN_LINES = Duration.ofMinutes(1);

    private final PrintStream err;
    private final boolean terminal;
    private Duration said;
    private boolean drawn;

    /** @param terminal whether {@code err} is a terminal */
    public RunsOnLine(PrintStream err, boolean terminal) {
        this.err = err;
        this.terminal = terminal;
    }

    /** @param age since the job's start @param bytes what it wrote until now */
    void tell(String job, Duration age, long bytes) {
        String line = "job " + Tables.safe(job) + " runs on " + age.toSeconds() + " s, " + bytes + " bytes";
        if (terminal) {
            err.print(CLEAR + line);
            err.flush();
            drawn = true;
        } else if (said == null || age.minus(said).compareTo(BETWEEN_LINES) >= 0) {
            err.println("berth: " + line);
            said = age;
        }
    }

    /** Takes the line away, before anything else is written. */
    void clear() {
        if (drawn) {
            err.print(CLEAR);
            err.flush();
            drawn = false;
        }
    }
}
