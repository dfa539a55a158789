package org.berth.harness.job;

import java.util.Objects;
import java.util.Optional;
import org.berth.harness.output.Output;
import org.berth.harness.output.OutputBuffer;
import org.berth.harness.output.OutputView;
import org.berth.harness.output.Truncation;

/**
 * One job: its output and its one end, which is final. Whoever runs it tells it both, from any thread.
 *
 * <pre>
 *   running --exited(code)--> exited(code)
 *   running --killed-------> killed
 *   running --vanished-----> unknown
 * </pre>
 */
public final class Job {
    private final String id;
    private final Output output;
    private final Ending<JobEnd> ending = new Ending<>();

    /**
     * A job that goes on with {@code output}: what the run wrote before it was detached is in it, and is counted.
     *
     * @param output not ended; nobody else writes to it from now on
     */
    public Job(String id, Output output) {
        this.id = Objects.requireNonNull(id);
        this.output = Objects.requireNonNull(output);
    }

    /** A job that has written nothing yet. */
    public Job(String id, Truncation truncation) {
        this(id, new OutputBuffer(truncation));
    }

    public String id() {
        return id;
    }

    /** Takes output from {@code from} to {@code to} (exclusive); ignored after the end. */
    public void output(byte[] bytes, int from, int to) {
        output.append(bytes, from, to);
    }

    /** It ended by itself; false when it had ended before, and nothing changes. */
    public boolean exited(int code) {
        return end(new JobEnd.Exited(code));
    }

    /** A kill ended it; false when it had ended before, and nothing changes. */
    public boolean killed() {
        return end(new JobEnd.Killed());
    }

    /** It is over, and how is not known; false when it had ended before, and nothing changes. */
    public boolean vanished(String reason) {
        return end(new JobEnd.Unknown(reason));
    }

    /** How it ended; empty while it runs. */
    public Optional<JobEnd> end() {
        return ending.end();
    }

    /** What a wait on this job waits for. */
    public Ending<JobEnd> ending() {
        return ending;
    }

    /** What is kept of its output so far. */
    public OutputView view() {
        return output.view();
    }

    private boolean end(JobEnd how) {
        output.end();
        return ending.settle(how);
    }
}
