package org.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * A workspace of many small files made and handed back over the routes, beside {@code cp -a} of the same files. Source of the
 * aims: issue on the harness, Speed.
 */
final class WorkspaceMeasure {
    private static final String ROUTE = "/api/harness/workspaces";
    private static final int FILES = 10_000;
    private static final int CHANGED = 100;
    private static final int MOST_LINES = 200;

    /** For each of the plan's. */
    private static final int ROUNDS = 3;

    /** Made before the first that counts: a server's code is slow until it was used. */
    private static final int WARM_UP = 3;

    private static final double HAND_BACK_MILLIS = 300;

    private final Target target;
    private final Plan plan;

    WorkspaceMeasure(Target target, Plan plan) {
        this.target = target;
        this.plan = plan;
    }

    List<Row> rows() throws IOException, InterruptedException {
        Path scratch = Files.createDirectories(target.home()
                .resolveSibling("workspace-" + UUID.randomUUID().toString().substring(0, 8)));
        Path parent = scratch.resolve("parent");
        fill(parent);
        int rounds = WARM_UP + ROUNDS * plan.rounds();
        double[] copies = new double[rounds];
        double[] plain = new double[rounds];
        double[] handBacks = new double[rounds];
        try (HttpConnection http = new HttpConnection(target)) {
            for (int round = 0; round < rounds; round++) {
                Path beside = scratch.resolve("cp-" + round);
                long start = afterWritesBack();
                Commands.run("cp", "-a", parent.toString(), beside.toString());
                plain[round] = millisSince(start);
                start = afterWritesBack();
                Answer made =
                        http.post(ROUTE, "{\"parent\":\"" + parent + "\"}").accepted();
                copies[round] = millisSince(start);
                change(Path.of(made.text("directory")), round);
                String id = made.text("workspaceId");
                start = afterWritesBack();
                http.post(ROUTE + "/" + id + "/hand-back", "{}").accepted();
                handBacks[round] = millisSince(start);
                requireHome(parent, round);
            }
        }
        copies = Arrays.copyOfRange(copies, WARM_UP, rounds);
        plain = Arrays.copyOfRange(plain, WARM_UP, rounds);
        handBacks = Arrays.copyOfRange(handBacks, WARM_UP, rounds);
        double copy = Samples.median(copies);
        double cp = Samples.median(plain);
        double handBack = Samples.median(handBacks);
        return List.of(
                new Row(
                        "isolated workspace of 10,000 small files, base and copy, over HTTP",
                        Row.number(copy) + " ms",
                        "one `cp -a` " + Row.number(cp) + " ms",
                        Row.number(copy / cp) + "x",
                        "at most 1x",
                        copy <= cp),
                new Row(
                        "hand-back of 100 changed files among them, over HTTP",
                        Row.number(handBack) + " ms",
                        "",
                        "",
                        "under 300 ms",
                        handBack < HAND_BACK_MILLIS));
    }

    /** The time once the system has written what earlier steps left to write, which would slow the next one. */
    private static long afterWritesBack() throws IOException, InterruptedException {
        Commands.run("sync");
        return System.nanoTime();
    }

    private static double millisSince(long start) {
        return (System.nanoTime() - start) / 1e6;
    }

    private static Path file(Path directory, int number) {
        return directory.resolve("dir" + number % 200 + "/sub" + number % 3 + "/file" + number);
    }

    private static void fill(Path parent) throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < FILES; i++) {
            Path file = file(parent, i);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "line of a small file\n".repeat(random.nextInt(MOST_LINES)));
        }
    }

    private static void change(Path copy, int round) throws IOException {
        for (int i = 0; i < CHANGED; i++) {
            Files.writeString(file(copy, i * (FILES / CHANGED)), "round " + round);
        }
    }

    private static void requireHome(Path parent, int round) throws IOException {
        for (int i = 0; i < CHANGED; i++) {
            if (!Files.readString(file(parent, i * (FILES / CHANGED))).equals("round " + round)) {
                throw new BenchmarkException("a change of round " + round + " did not come home");
            }
        }
    }
}
