package org.berth.harness.service;

import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.berth.harness.job.Job;
import org.berth.placement.Exit;
import org.berth.placement.OutputRecipient;
import org.berth.placement.OutputStreamKind;

/**
 * One job of a session and what is known of it. For a command it is the recipient of the attempt's output: the job ends once
 * the exit is known and both streams are at their end.
 */
public final class JobRun implements OutputRecipient {
    /** What a job is. */
    public enum Kind {
        BASH,
        CELL
    }

    /** Told of what happens, on the thread that brings it; must not wait. */
    interface Listener {
        /** Hears nothing. */
        Listener NOBODY = new Listener() {};

        /** Once, before anything else. */
        default void started(JobRun run) {}

        default void output(JobRun run, byte[] bytes) {}

        /** The process is over and its streams may still be open. */
        default void exited(JobRun run) {}

        /** Its end is known. Once. */
        default void over(JobRun run) {}

        /** Tells {@code other} too, after this one. */
        default Listener and(Listener other) {
            Listener first = this;
            return new Listener() {
                @Override
                public void started(JobRun run) {
                    first.started(run);
                    other.started(run);
                }

                @Override
                public void output(JobRun run, byte[] bytes) {
                    first.output(run, bytes);
                    other.output(run, bytes);
                }

                @Override
                public void exited(JobRun run) {
                    first.exited(run);
                    other.exited(run);
                }

                @Override
                public void over(JobRun run) {
                    first.over(run);
                    other.over(run);
                }
            };
        }
    }

    private static final int STREAMS = 2;

    /** What a shell adds to a signal's number. Source: POSIX, Shell Command Language, Exit Status. */
    private static final int SIGNAL_BASE = 128;

    private final Job job;
    private final Kind kind;
    private final String title;
    private final String attemptId;
    private final long startedAfterEntry;
    private final Instant startedAt;
    private final Function<Boolean, Path> fullOutput;
    private final Listener listener;
    private volatile LongConsumer acknowledgement = through -> {};
    private volatile Instant endedAt;
    private volatile boolean killed;
    private volatile boolean lost;
    private long last;
    private int ended;
    private Exit exit;

    /** @param fullOutput where all of the output is, after the end or before it; asked only when some of it was dropped */
    JobRun(
            Job job,
            Kind kind,
            String title,
            String attemptId,
            long startedAfterEntry,
            Instant startedAt,
            Function<Boolean, Path> fullOutput,
            Listener listener) {
        this.job = job;
        this.kind = kind;
        this.title = title;
        this.attemptId = attemptId;
        this.startedAfterEntry = startedAfterEntry;
        this.startedAt = startedAt;
        this.fullOutput = fullOutput;
        this.listener = listener;
        listener.started(this);
        job.ending().hear(end -> listener.over(this));
    }

    Job job() {
        return job;
    }

    String id() {
        return job.id();
    }

    Kind kind() {
        return kind;
    }

    String title() {
        return title;
    }

    String attemptId() {
        return attemptId;
    }

    long startedAfterEntry() {
        return startedAfterEntry;
    }

    Instant startedAt() {
        return startedAt;
    }

    /** Null while it runs. */
    Instant endedAt() {
        return endedAt;
    }

    void endedAt(Instant when) {
        endedAt = when;
    }

    /** Null where there is none. */
    Path fullOutput() {
        return fullOutput.apply(job.end().isPresent());
    }

    /** A kill was sent: an end by a signal is its end. */
    void killing() {
        killed = true;
    }

    @Override
    public void receiving(LongConsumer acknowledge) {
        acknowledgement = acknowledge;
        lost = false;
    }

    @Override
    public void chunk(OutputStreamKind stream, long sequence, byte[] data, boolean eof, boolean truncated) {
        boolean over;
        synchronized (this) {
            if (sequence <= last) {
                acknowledgement.accept(last);
                return;
            }
            last = sequence;
            ended += eof ? 1 : 0;
            over = exit != null && ended >= STREAMS;
        }
        if (data.length > 0) {
            wrote(data);
        }
        acknowledgement.accept(sequence);
        if (over) {
            settle();
        }
    }

    /** Takes output that comes by another way than an attempt's. */
    void wrote(byte[] data) {
        job.output(data, 0, data.length);
        listener.output(this, data);
    }

    @Override
    public void exited(Exit how) {
        boolean over;
        synchronized (this) {
            exit = how;
            over = ended >= STREAMS;
        }
        if (over) {
            settle();
        } else {
            listener.exited(this);
        }
    }

    /** Ends the job by the exit that was told, also when a stream's end did not come. */
    void settle() {
        Exit how;
        synchronized (this) {
            how = exit;
        }
        switch (how) {
            case null -> {
                // No exit was told: the job goes on.
            }
            case Exit.Exited exited -> job.exited(exited.code());
            case Exit.Signalled signalled -> {
                if (killed) {
                    job.killed();
                } else {
                    job.exited(SIGNAL_BASE + signalled.signal());
                }
            }
            case Exit.Unknown unknown -> job.vanished(unknown.reason());
        }
    }

    /** Whether its output does not come any more. */
    boolean isLost() {
        return lost;
    }

    @Override
    public void fenced(long generation) {
        lost = true;
    }

    @Override
    public void lost() {
        lost = true;
    }
}
