package org.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Hook posts of many seats at once, each answered once it is durable, under the install-wide token. */
final class HooksMeasure {
    private static final int CLIENTS = 16;
    private static final int POSTS_FOR_EACH_LAUNCH = 40;
    private static final double LEAST_PER_SECOND = 3000;

    /** Source: issue text, the reference daemon (Node with SQLite) on two cores of such a machine. */
    private static final double REFERENCE_PER_SECOND = 1544;

    private static final String RIG = "bench";

    private final Target target;
    private final Plan plan;

    HooksMeasure(Target target, Plan plan) {
        this.target = target;
        this.plan = plan;
    }

    List<Row> rows() throws IOException, InterruptedException {
        makeRig();
        Target poster = new Target(
                target.home(),
                target.offset(),
                Files.readString(target.home().resolve("hook.token")).strip());
        int posts = plan.launches() * POSTS_FOR_EACH_LAUNCH;
        together(poster, posts, new Samples());
        Samples samples = new Samples();
        double[] perSecond = new double[plan.rounds()];
        for (int i = 0; i < perSecond.length; i++) {
            perSecond[i] = together(poster, posts, samples);
        }
        double median = Samples.median(perSecond);
        return List.of(
                new Row(
                        "hook posts, " + CLIENTS + " clients, each durable",
                        Row.number(median) + "/s",
                        "reference daemon " + Row.number(REFERENCE_PER_SECOND) + "/s",
                        Row.number(median / REFERENCE_PER_SECOND) + "x",
                        "at least 3000/s on 2 cores",
                        median >= LEAST_PER_SECOND),
                new Row("hook post, p50 of these", Row.number(samples.millis(0.5)) + " ms", "", "", "", null),
                new Row("hook post, p99 of these", Row.number(samples.millis(0.99)) + " ms", "", "", "", null));
    }

    private void makeRig() throws IOException {
        StringBuilder members = new StringBuilder();
        for (int i = 0; i < CLIENTS; i++) {
            members.append(i == 0 ? "" : ",")
                    .append("{\"id\":\"m")
                    .append(i)
                    .append("\",\"agent_ref\":\"local:a\",\"runtime\":\"command\"}");
        }
        try (HttpConnection connection = new HttpConnection(target)) {
            Answer made = connection.post(
                    "/api/rigs",
                    "{\"version\":\"0.2\",\"name\":\"" + RIG + "\",\"pods\":[{\"id\":\"p\",\"members\":[" + members
                            + "]}]}");
            if (made.status() != 201 && made.status() != 200) {
                throw new BenchmarkException("the rig is refused: " + made.body());
            }
        }
    }

    private Samples alone(Target poster, int client, int posts, Samples samples) throws IOException {
        String body = "{\"runtime\":\"command\",\"hookEvent\":\"PreToolUse\",\"sessionName\":\"p-m" + client + "@" + RIG
                + "\"}";
        try (HttpConnection connection = new HttpConnection(poster)) {
            for (int i = 0; i < posts; i++) {
                long start = System.nanoTime();
                Answer answer = connection.post("/api/activity/hooks", body);
                samples.add(System.nanoTime() - start);
                if (answer.status() != 200) {
                    throw new BenchmarkException("a post is refused: " + answer.body());
                }
            }
        }
        return samples;
    }

    /** Answers posts per second. */
    private double together(Target poster, int posts, Samples samples) throws InterruptedException {
        int each = Math.max(1, posts / CLIENTS);
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            long start = System.nanoTime();
            List<Future<Samples>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int client = i;
                running.add(clients.submit(() -> alone(poster, client, each, samples)));
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
