package org.berth.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * The embedded environment: from a create to its helper's first reply, one request of the helper, a projection of 1000
 * files, an export of 1 MiB. Source of the aims: issue on environments, Speed.
 */
final class EnvironmentMeasure {
    private static final int ENVIRONMENTS = 12;

    /** Made and deleted before the first that is measured: a server's code is slow until it was used. */
    private static final int WARM_UP = 100;

    private static final int ROUND_TRIPS = 200;
    private static final int FILES = 1000;
    private static final int FILE_BYTES = 4096;
    private static final int ARTIFACT_BYTES = 1_048_576;
    private static final int EXPORTS = 5;

    private static final double CREATE_MILLIS = 120;
    private static final double DELETE_MILLIS = 500;
    private static final double ROUND_TRIP_MILLIS = 60;
    private static final double PROJECTION_MILLIS = 3000;
    private static final double EXPORT_MILLIS = 150;

    private static final String AGENT = """
            name: worker
            version: "1.0"
            profiles: { default: { uses: {} } }
            resources: {}
            startup: { files: [], actions: [] }
            """;

    private final Target target;
    private final Plan plan;
    private final String seat = "coordinator@bench";
    private Path files;
    private String program;

    EnvironmentMeasure(Target target, Plan plan) {
        this.target = target;
        this.plan = plan;
    }

    List<Row> rows() throws IOException {
        files = Files.createDirectories(
                target.home()
                        .resolve("environments/files/bench-"
                                + UUID.randomUUID().toString().substring(0, 8)),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(files.resolve("policy.yaml"), "version: 1\n");
        program = "/usr/bin/true@sha256:" + sha256(Files.readAllBytes(Path.of("/usr/bin/true")));
        List<Row> rows = new ArrayList<>();
        try (HttpConnection http = new HttpConnection(target);
                HostFile host = new HostFile(target, http)) {
            host.put("providers: { none: {} }\n");
            Samples creates = new Samples();
            String binding = null;
            int count = plan.rounds() == 1 ? ENVIRONMENTS / 2 : ENVIRONMENTS;
            Samples deletions = new Samples();
            for (int i = 0; i < WARM_UP; i++) {
                delete(http, create(http, "warm-up", new Samples(), null, null), deletions);
            }
            for (int i = 0; i < count; i++) {
                binding = create(http, "bench", creates, null, null);
            }
            rows.add(row("create to the helper's first reply, p50", creates.millis(0.5), CREATE_MILLIS, "120 ms"));
            rows.add(row("deletion with its proof, p50", deletions.millis(0.5), DELETE_MILLIS, "500 ms"));
            rows.add(row("one guest file verified, p50", roundTrip(http, binding), ROUND_TRIP_MILLIS, "60 ms"));
            rows.add(row(
                    "projection of " + FILES + " files of 4 KiB", projection(http, binding), PROJECTION_MILLIS, "3 s"));
            rows.add(row("export of 1 MiB, p50", export(http), EXPORT_MILLIS, "150 ms"));
        }
        return rows;
    }

    private static Row row(String measure, double millis, double aim, String words) {
        return new Row(measure, Row.number(millis) + " ms", "", "", "under " + words, millis < aim);
    }

    /** @param nodeId the rig's node that the environment is of; null for none, with a seat of its own */
    private String create(HttpConnection http, String workspace, Samples samples, String nodeId, String nodeSeat)
            throws IOException {
        String id = "bench-" + UUID.randomUUID().toString().substring(0, 8);
        String body = "{\"version\":1,\"bindingId\":\"" + id + "\",\"operationId\":\"create-" + id + "\","
                + (nodeId == null ? "" : "\"nodeId\":\"" + nodeId + "\",")
                + "\"seat\":\"" + (nodeId == null ? id + "@bench" : nodeSeat)
                + "\",\"baseRuntime\":\"claude-code\",\"guestRoot\":\"/sandbox/openrig\",\"guestBaseUrl\":"
                + "\"http://host.openshell.internal:7782\",\"placement\":{\"gateway\":\"local\",\"workspace\":\""
                + workspace + "\","
                + "\"name\":\"" + id + "\",\"image\":\"" + program + "\",\"provider\":\"none\",\"policy\":\""
                + files.resolve("policy.yaml") + "\"}}";
        long start = System.nanoTime();
        Answer answer = http.post("/api/environments/create", body, seat);
        samples.add(System.nanoTime() - start);
        if (answer.status() != 201) {
            throw new BenchmarkException("a create answered " + answer.status() + " " + answer);
        }
        return id;
    }

    private void delete(HttpConnection http, String binding, Samples samples) throws IOException {
        String body = "{\"operationId\":\"delete-" + binding + "\",\"effect\":\"delete-owned\"}";
        long start = System.nanoTime();
        Answer answer = http.post("/api/environments/" + binding + "/effect", body, seat);
        samples.add(System.nanoTime() - start);
        if (answer.status() != 200 || !"confirmed".equals(answer.text("state"))) {
            throw new BenchmarkException("a deletion answered " + answer.status() + " " + answer);
        }
    }

    private double roundTrip(HttpConnection http, String binding) throws IOException {
        byte[] text = "one file\n".getBytes(StandardCharsets.UTF_8);
        Files.write(files.resolve("one"), text);
        project(http, binding, "one", List.of(file(files.resolve("one"), "work/one", text)));
        Samples samples = new Samples();
        for (int i = 0; i < ROUND_TRIPS; i++) {
            long start = System.nanoTime();
            http.post("/api/environments/" + binding + "/validate", "{\"generation\":\"one\"}", seat)
                    .accepted();
            if (i >= ROUND_TRIPS / 4) {
                samples.add(System.nanoTime() - start);
            }
        }
        return samples.millis(0.5);
    }

    private double projection(HttpConnection http, String binding) throws IOException {
        List<String> listed = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            byte[] bytes = ("file " + i + "\n")
                    .repeat(FILE_BYTES)
                    .substring(0, FILE_BYTES)
                    .getBytes(StandardCharsets.UTF_8);
            Path source = files.resolve("f" + i);
            Files.write(source, bytes);
            listed.add(file(source, "work/many/f" + i, bytes));
        }
        long start = System.nanoTime();
        project(http, binding, "many", listed);
        return (System.nanoTime() - start) / 1e6;
    }

    /** In an environment of a rig's node, to whose seat the work goes. */
    private double export(HttpConnection http) throws IOException {
        Path agent = Files.createDirectories(files.resolve("agents/worker"));
        Files.writeString(agent.resolve("agent.yaml"), AGENT);
        String rig = "bench-" + UUID.randomUUID().toString().substring(0, 8);
        Answer made = http.post(
                        "/api/rigs?root=" + files,
                        "{\"version\":\"0.2\",\"name\":\"" + rig + "\",\"pods\":[{\"id\":\"team\",\"members\":[{"
                                + "\"id\":\"worker\",\"agent_ref\":\"local:agents/worker\",\"runtime\":"
                                + "\"openshell-claude\",\"profile\":\"default\",\"cwd\":\".\"}]}]}",
                        seat)
                .accepted();
        String worker = made.text("seat");
        String binding = create(http, "bench", new Samples(), made.text("nodeId"), worker);
        String task = "bench-" + UUID.randomUUID();
        http.post(
                        "/api/queue/create",
                        "{\"qitemId\":\"" + task + "\",\"destinationSession\":\"" + worker
                                + "\",\"body\":\"Return the artifact\"}",
                        seat)
                .accepted();
        String head = "{\"task\":\"" + task + "\",\"report\":\"";
        byte[] artifact =
                (head + "x".repeat(ARTIFACT_BYTES - head.length() - 2) + "\"}").getBytes(StandardCharsets.UTF_8);
        Files.write(files.resolve("artifact"), artifact);
        project(
                http,
                binding,
                "artifact",
                List.of(file(files.resolve("artifact"), "work/artifacts/report.json", artifact)));
        Samples samples = new Samples();
        for (int i = 0; i < EXPORTS; i++) {
            String body = "{\"operationId\":\"export-" + i + "-" + task + "\",\"taskId\":\"" + task
                    + "\",\"generation\":\"artifact\",\"path\":\"report.json\",\"sha256\":\"" + sha256(artifact)
                    + "\",\"bytes\":" + artifact.length
                    + ",\"schema\":{\"format\":\"json-object/v1\",\"fields\":{\"task\":\"string\",\"report\":\"string\"},"
                    + "\"required\":[\"task\",\"report\"]},\"context\":{\"task\":\"" + task + "\"}}";
            long start = System.nanoTime();
            http.post("/api/environments/" + binding + "/export", body, seat).accepted();
            samples.add(System.nanoTime() - start);
        }
        return samples.millis(0.5);
    }

    private void project(HttpConnection http, String binding, String generation, List<String> listed)
            throws IOException {
        http.post(
                        "/api/environments/" + binding + "/project",
                        "{\"operationId\":\"project-" + generation + "-" + binding + "\",\"generation\":\"" + generation
                                + "\",\"files\":[" + String.join(",", listed) + "]}",
                        seat)
                .accepted();
    }

    private static String file(Path source, String path, byte[] bytes) {
        return "{\"source\":\"" + source + "\",\"path\":\"" + path + "\",\"sha256\":\"" + sha256(bytes)
                + "\",\"required\":true}";
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
