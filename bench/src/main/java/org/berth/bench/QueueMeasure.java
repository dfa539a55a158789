package org.berth.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Durable creations in the work queue over REST. Beside it a loop that inserts the same rows into H2. */
final class QueueMeasure {
    private static final int CLIENTS = 16;
    private static final int ITEMS_EACH = 500;
    private static final double LEAST_PER_SECOND = 1500;

    private final Target target;
    private final Plan plan;

    QueueMeasure(Target target, Plan plan) {
        this.target = target;
        this.plan = plan;
    }

    List<Row> rows() throws IOException, InterruptedException {
        int each = plan.rounds() == 1 ? ITEMS_EACH / 2 : ITEMS_EACH;
        // As long as the compiler needs.
        together(each * 4, new Samples());
        double[] perSecond = new double[plan.rounds()];
        double[] plain = new double[plan.rounds()];
        Samples samples = new Samples();
        for (int i = 0; i < plan.rounds(); i++) {
            plain[i] = InsertLoop.perSecond(each * CLIENTS / 4);
            perSecond[i] = together(each, samples);
        }
        double median = Samples.median(perSecond);
        return List.of(
                new Row(
                        "queue creations, " + CLIENTS + " clients",
                        Row.number(median) + "/s",
                        "JDBC loop, a commit each " + Row.number(Samples.median(plain)) + "/s",
                        Row.number(median / Samples.median(plain)) + "x",
                        "at least 1500/s on 2 cores",
                        median >= LEAST_PER_SECOND),
                new Row(
                        "queue creation, " + CLIENTS + " clients, p50 and p99",
                        Row.number(samples.millis(0.5)) + " ms, " + Row.number(samples.millis(0.99)) + " ms",
                        "",
                        "",
                        "",
                        null));
    }

    private double together(int each, Samples samples) throws InterruptedException {
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            long start = System.nanoTime();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                running.add(clients.submit(() -> {
                    create(each, samples);
                    return null;
                }));
            }
            for (Future<?> client : running) {
                client.get();
            }
            return (double) each * CLIENTS * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - start);
        } catch (ExecutionException e) {
            throw new BenchmarkException("a client failed: " + e.getCause().getMessage(), e);
        }
    }

    private void create(int items, Samples samples) throws IOException {
        try (HttpConnection http = new HttpConnection(target)) {
            for (int i = 0; i < items; i++) {
                String body = "{\"qitemId\":\"bench-" + UUID.randomUUID()
                        + "\",\"destinationSession\":\"worker@bench\",\"body\":\"Return the selected report\"}";
                long start = System.nanoTime();
                Answer answer = http.post("/api/queue/create", body, "coordinator@bench");
                samples.add(System.nanoTime() - start);
                if (answer.status() != 201) {
                    throw new BenchmarkException("a creation answered " + answer.status());
                }
            }
        }
    }
}
