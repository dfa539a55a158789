package org.berth.bench;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How long one sweep takes over many live attempts; the times are those of the batch job's own record. */
final class SweepMeasure {
    private static final double MOST_SECONDS = 3;
    /** Four times the rows may take this many times as long: linear, and a quarter for noise. */
    private static final double MOST_GROWTH = 5;

    private static final long WAIT_SECONDS = 120;

    private final Target target;
    private final Plan plan;

    SweepMeasure(Target target, Plan plan) {
        this.target = target;
        this.plan = plan;
    }

    List<Row> rows() throws IOException, InterruptedException {
        int most = plan.liveRows();
        double[] seconds = new double[3];
        int[] counts = {most / 4, most / 2, most};
        try (HttpConnection http = new HttpConnection(target);
                LiveAttempts live = new LiveAttempts(target)) {
            HostFile file = new HostFile(target, http);
            try (file) {
                for (int i = 0; i < counts.length; i++) {
                    file.put("sweep: {every: 24h}\n");
                    live.grow(counts[i]);
                    file.put("sweep: {every: 1s, bound: 10000, reconcile_timeout: 60s}\n");
                    seconds[i] = sweep(counts[i]);
                    System.err.println("bench: sweep of " + counts[i] + ": " + Row.number(seconds[i]) + " s");
                }
                file.put("sweep: {every: 24h}\n");
                live.end();
            }
        }
        double growth = seconds[2] / seconds[0];
        return List.of(new Row(
                "sweep of " + most + " live attempts",
                Row.number(seconds[2]) + " s",
                counts[0] + ": " + Row.number(seconds[0]) + " s, " + counts[1] + ": " + Row.number(seconds[1]) + " s",
                Row.number(growth) + "x for 4x",
                "under 3 s, linear",
                seconds[2] < MOST_SECONDS && growth <= MOST_GROWTH));
    }

    /** The median of the next whole sweeps that saw all {@code rows}, in seconds. */
    private double sweep(int rows) throws IOException, InterruptedException {
        Instant asked = Instant.now();
        Instant deadline = asked.plusSeconds(WAIT_SECONDS);
        JobRecords records = new JobRecords(target);
        while (Instant.now().isBefore(deadline)) {
            List<Double> times = new ArrayList<>();
            for (JobRecords.Execution each : records.completed("placement-sweep")) {
                if (each.start().isAfter(asked)) {
                    times.add(Duration.between(each.start(), each.end()).toNanos() / 1e9);
                }
            }
            if (times.size() > plan.rounds()) {
                times.removeFirst();
                return Samples.median(
                        times.stream().mapToDouble(Double::doubleValue).toArray());
            }
            TimeUnit.MILLISECONDS.sleep(1000);
        }
        throw new BenchmarkException("no sweep over " + rows + " attempts ended within " + WAIT_SECONDS + " s");
    }
}
