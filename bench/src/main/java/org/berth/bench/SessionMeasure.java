package org.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A harness session: one cell and one command, asked and answered, and what the output of a long command costs in memory.
 * Source of the aims: issue on the harness, Speed.
 */
final class SessionMeasure {
    private static final int TURNS = 400;
    private static final double CELL_MILLIS = 5;
    private static final int OUTPUT_MIB = 1024;

    /** What two looks at the same server's memory differ by. Source: measured. */
    private static final double NOISE_MIB = 24;

    private final Target target;
    private final Plan plan;

    SessionMeasure(Target target, Plan plan) {
        this.target = target;
        this.plan = plan;
    }

    List<Row> rows() throws IOException, InterruptedException {
        Path directory = Files.createDirectories(target.home()
                .resolveSibling("session-" + UUID.randomUUID().toString().substring(0, 8)));
        List<Row> rows = new ArrayList<>();
        try (HttpConnection http = new HttpConnection(target)) {
            String session = "/api/harness/sessions/"
                    + http.post(
                                    "/api/harness/sessions",
                                    "{\"cwd\":\"" + directory + "\",\"toolBlockingBudgetMs\":600000}")
                            .accepted()
                            .text("sessionId");
            double cell = turns(http, session + "/cells", "{\"code\":\"1+1\"}");
            rows.add(new Row(
                    "cell asked and answered, p50",
                    Row.number(cell) + " ms",
                    "",
                    "",
                    "under 5 ms",
                    cell < CELL_MILLIS));
            double command = turns(http, session + "/bash", "{\"command\":\"true\"}");
            rows.add(new Row("command asked and answered, p50", Row.number(command) + " ms", "", "", "", null));
            double small = memoryAfter(http, session, 1);
            double large = memoryAfter(http, session, OUTPUT_MIB);
            rows.add(new Row(
                    "memory after a command's output of " + OUTPUT_MIB + " MiB",
                    Row.number(large) + " MiB",
                    "after 1 MiB " + Row.number(small) + " MiB",
                    String.format("%+.1f MiB", large - small),
                    "no more",
                    large - small < NOISE_MIB));
        }
        return rows;
    }

    private double turns(HttpConnection http, String route, String body) throws IOException {
        Samples samples = new Samples();
        int count = TURNS * plan.rounds();
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            http.post(route, body).accepted();
            if (i >= count / 2) {
                samples.add(System.nanoTime() - start);
            }
        }
        return samples.millis(0.5);
    }

    /** Of server and supervisor together, after a collection. */
    private double memoryAfter(HttpConnection http, String session, int mebibytes)
            throws IOException, InterruptedException {
        http.post(session + "/bash", "{\"command\":\"head -c " + mebibytes + "M /dev/zero\"}")
                .accepted();
        Collections.run(target);
        return ProcessFigures.of(target.serverPid())
                        .plus(ProcessFigures.of(target.supervisorPid()))
                        .residentKibibytes()
                / 1024.0;
    }
}
