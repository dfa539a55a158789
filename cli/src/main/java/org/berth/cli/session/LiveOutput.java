package org.berth.cli.session;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.berth.cli.Failure;
import org.berth.cli.output.Tables;

/**
 * Shows an output that grows, each byte once and in order. What the server let go before it could be shown is told
 * where it is missing first, and counted at the end.
 */
public final class LiveOutput {
    private final OutputStream out;
    private final PrintStream err;
    private final boolean keepsHead;
    private long position;
    private long missing;

    /** @param keepsHead whether the session keeps the beginning of an output; else it keeps the end */
    public LiveOutput(OutputStream out, PrintStream err, boolean keepsHead) {
        this.out = out;
        this.err = err;
        this.keepsHead = keepsHead;
    }

    /** Whether {@code answer} has something that was not shown yet. */
    boolean hasNew(JobAnswer answer) {
        return start(answer) + answer.output().length > position;
    }

    /** Shows what is new in {@code answer}. @throws Failure when nobody reads the output */
    public void show(JobAnswer answer) {
        long start = start(answer);
        if (start > position) {
            if (missing == 0) {
                say("output comes faster than the session keeps it; bytes are missing here");
            }
            missing += start - position;
            position = start;
        }
        int from = (int) Math.min(position - start, answer.output().length);
        int count = answer.output().length - from;
        if (count == 0) {
            return;
        }
        try {
            out.write(answer.output(), from, count);
            out.flush();
        } catch (IOException e) {
            String goesOn = answer.ended() ? "." : "; job " + answer.job() + " goes on.";
            throw Failure.failed("Nobody reads the output any more" + goesOn, null);
        }
        position += count;
    }

    /** Shows the rest, and tells how much was not shown and where all of it is. */
    public void end(JobAnswer answer) {
        show(answer);
        missing += answer.produced() - position;
        position = answer.produced();
        if (missing > 0) {
            String whole = answer.artifact() == null
                    ? ""
                    : "; all of it is in the file " + answer.artifact() + " of the server's host";
            say(missing + " bytes of the output were not kept" + whole);
        }
    }

    private long start(JobAnswer answer) {
        return keepsHead ? 0 : answer.dropped();
    }

    private void say(String sentence) {
        err.println("berth: " + Tables.safe(sentence));
    }
}
