package org.berth.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Whole launches of /bin/true over REST, each of them durable: prepare, start, exit, cleanup. Beside it a loop of
 * posix_spawn and waitid in C, and Podman where it is installed.
 */
final class LaunchMeasure {
    private static final String PROGRAM = "/bin/true";
    private static final int CLIENTS = 16;
    private static final double MOST_TIMES_SPAWN = 15;
    private static final double LEAST_PER_SECOND = 150;
    private static final double LEAST_TIMES_PODMAN = 10;

    private final Target target;
    private final Plan plan;

    LaunchMeasure(Target target, Plan plan) {
        this.target = target;
        this.plan = plan;
    }

    List<Row> rows() throws IOException, InterruptedException {
        alone(plan.warmUpLaunches());
        together(plan.warmUpLaunches());
        int rounds = plan.rounds();
        double[] single = new double[rounds];
        double[] spawn = new double[rounds];
        double[] perSecond = new double[rounds];
        double[] spawnPerSecond = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            String[] plain = Commands.spawnLoop(plan, PROGRAM);
            spawn[i] = Double.parseDouble(plain[0]) / 1e6;
            spawnPerSecond[i] = Double.parseDouble(plain[1]);
            single[i] = alone(plan.launches()).millis(0.5);
            perSecond[i] = together(plan.launches() * 2);
        }
        List<Row> rows = new ArrayList<>();
        double times = Samples.median(single) / Samples.median(spawn);
        rows.add(new Row(
                "launch of " + PROGRAM + ", one client, p50",
                Row.number(Samples.median(single)) + " ms",
                Double.isNaN(times) ? "no C compiler" : "posix_spawn " + Row.number(Samples.median(spawn)) + " ms",
                Double.isNaN(times) ? "" : Row.number(times) + "x",
                "at most 15x",
                Double.isNaN(times) ? null : times <= MOST_TIMES_SPAWN));
        rows.add(new Row(
                "launches of " + PROGRAM + ", " + CLIENTS + " clients",
                Row.number(Samples.median(perSecond)) + "/s",
                Double.isNaN(times) ? "" : "posix_spawn " + Row.number(Samples.median(spawnPerSecond)) + "/s",
                "",
                "at least 150/s on 2 cores",
                Samples.median(perSecond) >= LEAST_PER_SECOND));
        rows.add(podman(Samples.median(single)));
        return rows;
    }

    private Row podman(double single) throws IOException, InterruptedException {
        String name = "launch of " + PROGRAM + " beside podman run --rm, p50";
        String image = plan.podmanImage();
        if (image == null || !Commands.isInstalled("podman")) {
            String why = image == null ? "BENCH_PODMAN_IMAGE is not set" : "no Podman here";
            return new Row(name, Row.number(single) + " ms", why, "", "at least 10x faster", null);
        }
        Samples samples = new Samples();
        for (int i = 0; i < plan.rounds() * 3; i++) {
            long start = System.nanoTime();
            Commands.run("podman", "run", "--rm", "--network=none", image, PROGRAM);
            samples.add(System.nanoTime() - start);
        }
        double faster = samples.millis(0.5) / single;
        return new Row(
                name,
                Row.number(single) + " ms",
                Row.number(samples.millis(0.5)) + " ms",
                Row.number(faster) + "x faster",
                "at least 10x faster",
                faster >= LEAST_TIMES_PODMAN);
    }

    private Samples alone(int launches) throws IOException {
        Samples samples = new Samples();
        try (Attempts attempts = new Attempts(target)) {
            for (int i = 0; i < launches; i++) {
                long start = System.nanoTime();
                attempts.launch(PROGRAM);
                samples.add(System.nanoTime() - start);
            }
        }
        return samples;
    }

    /** Answers launches per second. */
    private double together(int launches) throws InterruptedException {
        int each = Math.max(1, launches / CLIENTS);
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            long start = System.nanoTime();
            List<Future<Samples>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                running.add(clients.submit(() -> alone(each)));
            }
            for (Future<Samples> client : running) {
                client.get();
            }
            return (double) each * CLIENTS * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - start);
        } catch (ExecutionException e) {
            throw new BenchmarkException("a client failed: " + e.getCause().getMessage(), e);
        }
    }
}
