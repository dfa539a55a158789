package org.berth.cli.session;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.berth.cli.Failure;
import org.berth.cli.output.Tables;

/**
 * Shows an output that grows, each byte once and in order. What the server let go before it could be shown is told where
 * it is missing.
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
            lost(start - position);
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
            throw Failure.failed("Nobody reads the output any more.", null);
        }
        position += count;
    }

    /** Shows the rest, and tells where all of it is when a part was not shown. */
    public void end(JobAnswer answer) {
        show(answer);
        if (answer.produced() > position) {
            lost(answer.produced() - position);
            position = answer.produced();
        }
        if (missing > 0 && answer.artifact() != null) {
            say("the whole output is in the file " + answer.artifact() + " of the server's host");
        }
    }

    private long start(JobAnswer answer) {
        return keepsHead ? 0 : answer.dropped();
    }

    private void lost(long bytes) {
        missing += bytes;
        say(bytes + " bytes of the output are not kept here");
    }

    private void say(String sentence) {
        err.println("berth: " + Tables.safe(sentence));
    }
}
