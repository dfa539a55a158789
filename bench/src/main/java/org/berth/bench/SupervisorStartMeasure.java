package org.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** From the start of a second supervisor's process, on a state of its own, to its listening socket. */
final class SupervisorStartMeasure {
    private static final double MOST_MILLIS = 400;
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Plan plan;

    SupervisorStartMeasure(Plan plan) {
        this.plan = plan;
    }

    List<Row> rows() throws IOException, InterruptedException {
        String distribution = System.getenv("BENCH_SUPERVISOR");
        if (distribution == null) {
            throw new BenchmarkException("BENCH_SUPERVISOR is not set; start with bench/run");
        }
        String java = ProcessHandle.current().info().command().orElse("java");
        double[] supervisor = new double[Math.max(3, plan.rounds())];
        double[] plain = new double[supervisor.length];
        for (int i = 0; i < supervisor.length; i++) {
            long start = System.nanoTime();
            Commands.run(java, "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--version");
            plain[i] = (System.nanoTime() - start) / 1e6;
            supervisor[i] = once(java, Path.of(distribution));
        }
        double median = Samples.median(supervisor);
        return List.of(new Row(
                "supervisor, from its start to its socket",
                Row.number(median) + " ms",
                "java --version " + Row.number(Samples.median(plain)) + " ms",
                Row.number(median / Samples.median(plain)) + "x",
                "at most 400 ms",
                median <= MOST_MILLIS));
    }

    private static double once(String java, Path distribution) throws IOException, InterruptedException {
        Path state = Files.createTempDirectory("berth-bench");
        Path socket = state.resolve("run").resolve("supervisor-benchmrk.sock");
        List<String> command = new ArrayList<>(List.of(java));
        if (Files.exists(distribution.resolve("java.args"))) {
            command.add("@java.args");
        }
        command.addAll(List.of("-cp", "berth-supervisor.jar:lib/*", "org.berth.process.supervisor.Supervisor"));
        command.addAll(List.of("--socket-dir", socket.getParent().toString(), "--state", state + "/state"));
        command.addAll(List.of("--build", "benchmrk"));
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .directory(distribution.toFile())
                .redirectErrorStream(true)
                .redirectOutput(state.resolve("console").toFile())
                .start();
        try {
            while (!Files.exists(socket)) {
                if (!process.isAlive() || System.nanoTime() - start > WAIT_NANOS) {
                    throw new BenchmarkException(
                            "the supervisor did not start: " + Files.readString(state.resolve("console")));
                }
                Thread.sleep(1);
            }
            return (System.nanoTime() - start) / 1e6;
        } finally {
            process.destroy();
            process.waitFor();
            remove(state);
        }
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
