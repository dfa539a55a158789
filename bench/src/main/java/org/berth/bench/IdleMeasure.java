package org.berth.bench;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What attempts cost that do nothing: threads, memory and wake-ups of server and supervisor together. */
final class IdleMeasure {
    private static final long MOST_MEBIBYTES = 40;
    /** Wake-ups a second that count as none: what two looks at the same idle server differ by. */
    private static final double NOISE_PER_SECOND = 2;

    private static final int SETTLE_MILLIS = 3_000;
    private final Target target;
    private final Plan plan;

    IdleMeasure(Target target, Plan plan) {
        this.target = target;
        this.plan = plan;
    }

    List<Row> rows() throws IOException, InterruptedException {
        try (HttpConnection http = new HttpConnection(target);
                LiveAttempts idle = new LiveAttempts(target)) {
            String quiet = "sweep: {every: 1h}\n";
            HostFile file = new HostFile(target, http);
            try (file) {
                file.put(quiet);
                // The pools and classes that launching needs are there before the bare server is looked at.
                idle.grow(plan.idleAttempts());
                idle.end();
                Look bare = look();
                idle.grow(plan.idleAttempts());
                Look busy = look();
                return rows(bare, busy);
            }
        }
    }

    private List<Row> rows(Look bare, Look busy) {
        String name = plan.idleAttempts() + " idle attempts: ";
        int threads = busy.figures.threads() - bare.figures.threads();
        double memory = (busy.figures.residentKibibytes() - bare.figures.residentKibibytes()) / 1024.0;
        double waits = busy.waitsPerSecond - bare.waitsPerSecond;
        return List.of(
                new Row(
                        name + "threads",
                        Integer.toString(busy.figures.threads()),
                        "bare " + bare.figures.threads(),
                        String.format("%+d", threads),
                        "none more",
                        threads <= 0),
                new Row(
                        name + "memory",
                        busy.figures.residentKibibytes() / 1024 + " MiB",
                        "bare " + bare.figures.residentKibibytes() / 1024 + " MiB",
                        String.format("%+.1f MiB", memory),
                        "under 40 MB more",
                        memory < MOST_MEBIBYTES),
                new Row(
                        name + "wake-ups",
                        Row.number(busy.waitsPerSecond) + "/s",
                        "bare " + Row.number(bare.waitsPerSecond) + "/s",
                        String.format("%+.1f/s", waits),
                        "no extra",
                        waits <= NOISE_PER_SECOND));
    }

    /** The two processes at rest. */
    private record Look(ProcessFigures figures, double waitsPerSecond) {}

    private Look look() throws IOException, InterruptedException {
        Collections.run(target);
        TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        ProcessFigures before = both();
        TimeUnit.MILLISECONDS.sleep(plan.quietMillis());
        ProcessFigures after = both();
        return new Look(after, after.wakesSince(before) * 1000.0 / plan.quietMillis());
    }

    private ProcessFigures both() throws IOException {
        return ProcessFigures.of(target.serverPid()).plus(ProcessFigures.of(target.supervisorPid()));
    }
}
