package org.berth.bench;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Output from a child to a WebSocket client: how much, and how soon. */
final class OutputMeasure {
    private static final double LEAST_OF_PIPE = 0.3;
    private static final double MOST_MILLIS = 2;
    /** What may be outstanding after a first start; a client acknowledges after half of it. */
    private static final int DEFAULT_CHUNKS = 16;

    /** What the host policy allows at most. */
    private static final int WIDEST_CHUNKS = 256;

    private final Target target;
    private final Plan plan;

    OutputMeasure(Target target, Plan plan) {
        this.target = target;
        this.plan = plan;
    }

    /** With the figures of a first start, then with the widest that the host policy allows. */
    List<Row> throughput() throws IOException, InterruptedException {
        try (HttpConnection http = new HttpConnection(target);
                HostFile file = new HostFile(target, http)) {
            Row narrow = throughput("16 chunks out", DEFAULT_CHUNKS);
            file.put("output: {outstanding_chunks: " + WIDEST_CHUNKS + ", spool: 4MiB}\n");
            return List.of(narrow, throughput(WIDEST_CHUNKS + " chunks out", WIDEST_CHUNKS));
        }
    }

    private Row throughput(String buffer, int chunks) throws IOException, InterruptedException {
        String size = plan.outputMebibytes() + "M";
        double[] stream = new double[plan.rounds()];
        double[] pipe = new double[plan.rounds()];
        receive("64M", 64L << 20, chunks / 2);
        for (int i = 0; i < plan.rounds(); i++) {
            long start = System.nanoTime();
            Commands.run("sh", "-c", "head -c " + size + " /dev/zero | cat > /dev/null");
            pipe[i] = plan.outputMebibytes() * 1e9 / (System.nanoTime() - start);
            stream[i] = receive(size, (long) plan.outputMebibytes() << 20, chunks / 2);
        }
        double ratio = Samples.median(stream) / Samples.median(pipe);
        return new Row(
                "child to WebSocket client, " + size + "iB, " + buffer,
                Row.number(Samples.median(stream)) + " MiB/s",
                "pipe to cat " + Row.number(Samples.median(pipe)) + " MiB/s",
                Row.number(ratio),
                "at least 0.3",
                ratio >= LEAST_OF_PIPE);
    }

    /** Answers MiB a second from the start to the exit. */
    private double receive(String size, long expected, int acknowledgeEvery) throws IOException {
        try (Attempts attempts = new Attempts(target)) {
            String id = attempts.prepare("head", "-c", size, "/dev/zero");
            try (StreamClient stream = new StreamClient(target, attempts.attach(id))) {
                long start = System.nanoTime();
                attempts.start(id);
                long received = 0;
                long acknowledged = 0;
                for (int bytes = stream.nextOutput(); bytes >= 0; bytes = stream.nextOutput()) {
                    received += bytes;
                    if (bytes == 0 || stream.sequence() - acknowledged >= acknowledgeEvery) {
                        acknowledged = stream.sequence();
                        stream.acknowledge(acknowledged);
                    }
                    if (received == expected) {
                        break;
                    }
                }
                double rate = received / 1048576.0 * 1e9 / (System.nanoTime() - start);
                if (received != expected) {
                    throw new BenchmarkException(received + " of " + expected + " bytes came");
                }
                for (int bytes = stream.nextOutput(); bytes >= 0; bytes = stream.nextOutput()) {
                    stream.acknowledge(stream.sequence());
                }
                attempts.cleanUp(id);
                return rate;
            }
        }
    }

    /** One way by the clock that a child prints; and there and back through cat. */
    List<Row> latency() throws IOException {
        double[] echo = new double[plan.rounds()];
        double[] output = new double[plan.rounds()];
        try (Attempts attempts = new Attempts(target)) {
            String id = attempts.prepare("cat");
            try (StreamClient stream = new StreamClient(target, attempts.attach(id))) {
                attempts.start(id);
                echo(stream, plan.echoes() / 2);
                for (int i = 0; i < plan.rounds(); i++) {
                    echo[i] = echo(stream, plan.echoes()).millis(0.5);
                }
            }
            attempts.stop(id);
            while (!attempts.isExited(id)) {
                Thread.onSpinWait();
            }
            attempts.cleanUp(id);
        }
        for (int i = 0; i < plan.rounds(); i++) {
            output[i] = clockOutput(plan.echoes() / 4).millis(0.5);
        }
        return List.of(
                new Row(
                        "output latency, child to client, p50",
                        Row.number(Samples.median(output)) + " ms",
                        "",
                        "",
                        "under 2 ms",
                        Samples.median(output) < MOST_MILLIS),
                new Row(
                        "echo, client to child and back, p50",
                        Row.number(Samples.median(echo)) + " ms",
                        "",
                        "",
                        "",
                        null));
    }

    private static Samples echo(StreamClient stream, int count) throws IOException {
        Samples samples = new Samples();
        byte[] writeId = new byte[16];
        for (int i = 0; i < count; i++) {
            ThreadLocalRandom.current().nextBytes(writeId);
            byte[] data = Arrays.copyOf(writeId, 8);
            long start = System.nanoTime();
            stream.input(writeId, data);
            int bytes = stream.nextOutput();
            samples.add(System.nanoTime() - start);
            if (bytes != data.length || !Arrays.equals(stream.output(), data)) {
                throw new BenchmarkException("the echo came back changed");
            }
            stream.acknowledge(stream.sequence());
        }
        return samples;
    }

    /** A child prints the wall clock in nanoseconds now and then; the client compares it with its own at the arrival. */
    private Samples clockOutput(int count) throws IOException {
        Samples samples = new Samples();
        try (Attempts attempts = new Attempts(target)) {
            String id = attempts.prepare(
                    "sh", "-c", "i=0; while [ $i -lt " + count + " ]; do sleep 0.01; date +%s%N; i=$((i+1)); done");
            try (StreamClient stream = new StreamClient(target, attempts.attach(id))) {
                attempts.start(id);
                for (int bytes = stream.nextOutput(); bytes >= 0; bytes = stream.nextOutput()) {
                    java.time.Instant now = java.time.Instant.now();
                    if (bytes > 0) {
                        // Two lines come in one frame when the machine is busy: the older one counts.
                        long printed =
                                Long.parseLong(new String(stream.output(), java.nio.charset.StandardCharsets.US_ASCII)
                                        .lines()
                                        .findFirst()
                                        .orElseThrow());
                        samples.add(now.getEpochSecond() * 1_000_000_000L + now.getNano() - printed);
                    }
                    stream.acknowledge(stream.sequence());
                }
            }
            attempts.cleanUp(id);
        }
        return samples;
    }
}
