package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.berth.fault.FaultPoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The routes of environments, over the embedded driver. */
class EnvironmentsIT {
    private static final String ROUTE = "/api/environments";

    private static BerthServer server;
    private static FaultPauses pauses;
    private static Path files;

    @BeforeAll
    static void start() throws Exception {
        server = BerthServer.create("environments");
        pauses = new FaultPauses(server);
        server.javaOptions(pauses.option()).start();
        Path policy = server.home().resolve("host.yaml");
        server.write(
                policy,
                Files.readString(policy)
                        .replace(
                                "providers: {}",
                                "providers: {model: {environment: {ANTHROPIC_BASE_URL: \"http://127.0.0.1:9\"}}}"));
        server.api().post("/api/placement/host/reload").expect(200);
        files = server.home().resolve("environments/files");
        // Its first use makes it.
        create(selection("none", "none", _ -> "/none")).expectProblem(403, "environment_path_denied");
        put("policy.yaml", "version: 1\n");
        put("agent", "#!/bin/sh\nexec sleep 3600\n");
        Files.setPosixFilePermissions(files.resolve("agent"), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterAll
    static void end() {
        server.close();
        // Environments outlive server and supervisor, as they should.
        String tree = server.home().resolve("environments").toString();
        Proc.all().stream()
                .filter(pid -> Proc.arguments(pid).stream().anyMatch(argument -> argument.contains(tree)))
                .forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    @Test
    void anEnvironmentIsMadeOnceInspectedAndListed() {
        Map<String, Object> wanted = selection("once", "create-once");
        wanted.put("requestedBy", "somebody@else");
        Answer made = create(wanted).expect(201);
        assertThat(made.json()).containsEntry("ownership", "owned").containsEntry("generation", null);
        assertThat(made.text("resource", "phase")).isEqualTo("Ready");
        assertThat(made.text("resource", "operationId")).startsWith("env-");
        assertThat(create(wanted).expect(200).json()).isEqualTo(made.json());

        Map<String, Object> other = selection(
                "once", "create-once", _ -> files.resolve("policy.yaml").toString());
        other.put("guestBaseUrl", "http://host.openshell.internal:7799");
        create(other).expectProblem(409, "environment_operation_changed");
        Map<String, Object> second = selection("second", "create-second");
        second.put("seat", wanted.get("seat"));
        create(second).expectProblem(409, "environment_seat_bound");

        Answer live = get("/once?live=true").expect(200);
        assertThat(live.json())
                .containsEntry("observation", "live-resource")
                .containsKeys("lifecycle", "egressRefusals");
        List<Map<String, Object>> operations = Json.objects(live.json(), "operations");
        assertThat(operations)
                .satisfiesExactly(
                        create -> assertThat(create)
                                .containsEntry("operationId", "create-once")
                                .containsEntry("kind", "create")
                                .containsEntry("state", "confirmed")
                                .containsEntry("requestedBy", "coordinator@team"),
                        inventory -> assertThat(inventory)
                                .containsEntry("kind", "cleanup-inventory")
                                .containsEntry("state", "confirmed"));
        assertThat(get("/once").expect(200).json()).containsEntry("observation", "stored-receipt");
        assertThat(Json.objects(get("?driver=local&seat=once@team").expect(200).json(), "environments"))
                .hasSize(1);
        assertThat(Json.objects(get("?driver=podman").expect(200).json(), "environments"))
                .isEmpty();
        send("DELETE", "/once", Map.of()).expectProblem(409, "environment_binding_exists");
    }

    @Test
    void filesAreProjectedVerifiedAndKept() throws Exception {
        create(selection("files", "create-files")).expect(201);
        Map<String, Object> role = file("role.md", "current guidance", "work/CLAUDE.md");
        assertThat(project("files", "g1", role).expect(200).json()).containsEntry("generation", "g1");
        validate("files", "g1").expect(200);
        validate("files", "g2").expectProblem(409, "environment_generation_changed");
        put("role.md", "other guidance");
        validate("files", "g1").expectProblem(409, "environment_projection_source_changed");
        project("files", "g1", role).expectProblem(409, "environment_projection_changed");
        Map<String, Object> outside = new LinkedHashMap<>(role);
        outside.put("source", "/etc/hostname");
        project("files", "g1", outside).expectProblem(403, "environment_path_denied");
        Map<String, Object> traversal = file("t.md", "x", "../outside");
        project("files", "g1", traversal).expectProblem(400, "invalid_environment_path");
        assertThat(project("files", "g2", file("role.md", "third guidance", "work/CLAUDE.md"))
                        .expect(200)
                        .json())
                .containsEntry("generation", "g2");
        validate("files", "g2").expect(200);
    }

    @Test
    void whatIsWrongHasTheReferencesCode() {
        get("/missing").expectProblem(404, "environment_binding_missing");
        server.api().post(ROUTE + "/create", selection("x", "x")).expectProblem(400, "sender_identity_required");
        create(Map.of()).expectProblem(400, "invalid_environment_request");
        Map<String, Object> node = selection("node", "create-node");
        node.put("nodeId", "no-such-node");
        create(node).expectProblem(404, "environment_node_missing");
        Map<String, Object> attach = selection("attach", "attach-one");
        attach.put("resourceId", UUID.randomUUID().toString());
        assertThat(send("POST", "/attach", attach).status()).isIn(409, 503);
        get("/attach").expectProblem(404, "environment_binding_missing");
        send("POST", "/none/export", Map.of("operationId", "e")).expectProblem(400, "invalid_environment_request");
    }

    @Test
    void aServerThatDiesInACreateMakesNoSecondEnvironment() {
        List<FaultPoint> points =
                List.of(FaultPoint.CREATE_INTENT, FaultPoint.CREATE_EFFECT, FaultPoint.CREATE_RECORDED);
        points.forEach(point -> pauses.hold(point, () -> create(diedAt(point))));
        pauses.kill();
        server.start();
        points.forEach(point -> isMadeOnce(point, point == FaultPoint.CREATE_INTENT ? 201 : 200));
    }

    private static Map<String, Object> diedAt(FaultPoint point) {
        return selection(point.name().toLowerCase(Locale.ROOT).replace('_', '-'), point.name());
    }

    private static void isMadeOnce(FaultPoint point, int status) {
        Map<String, Object> wanted = diedAt(point);
        assertThat(create(wanted).status()).as("%s", point).isEqualTo(status);
        assertThat(Json.objects(get("/" + wanted.get("bindingId")).expect(200).json(), "operations"))
                .extracting(operation -> operation.get("kind"))
                .as("what %s made, and what its deletion will look for", point)
                .containsExactly("create", "cleanup-inventory");
    }

    private static Map<String, Object> selection(String name, String operationId) {
        return selection(name, operationId, _ -> files.resolve("policy.yaml").toString());
    }

    private static Map<String, Object> selection(String name, String operationId, UnaryOperator<String> policy) {
        Map<String, Object> placement = new LinkedHashMap<>();
        placement.put("gateway", "local");
        placement.put("workspace", "team");
        placement.put("name", name);
        placement.put("image", files.resolve("agent") + "@sha256:" + agentDigest());
        placement.put("provider", "model");
        placement.put("policy", policy.apply(name));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("version", 1);
        body.put("operationId", operationId);
        body.put("bindingId", name);
        body.put("seat", name + "@team");
        body.put("baseRuntime", "claude-code");
        body.put("guestRoot", "/sandbox/openrig");
        body.put("guestBaseUrl", "http://host.openshell.internal:7782");
        body.put("placement", placement);
        return body;
    }

    private static String agentDigest() {
        Path agent = files.resolve("agent");
        return Files.exists(agent) ? sha256(agent) : "0".repeat(64);
    }

    private static Answer create(Map<String, Object> body) {
        return send("POST", "/create", body);
    }

    private static Answer project(String binding, String generation, Map<String, Object> file) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("operationId", "projection-" + generation);
        body.put("generation", generation);
        body.put("files", List.of(file));
        return send("POST", "/" + binding + "/project", body);
    }

    private static Answer validate(String binding, String generation) {
        return send("POST", "/" + binding + "/validate", Map.of("generation", generation));
    }

    private static Answer get(String rest) {
        return send("GET", rest, null);
    }

    /** Acts as the coordinator of the team. */
    private static Answer send(String method, String rest, Map<String, Object> body) {
        HttpRequest.Builder request =
                server.api().request(ROUTE + rest).header("X-OpenRig-Session", "coordinator@team");
        return Api.send(
                body == null
                        ? request.GET().build()
                        : request.header("Content-Type", "application/json")
                                .method(method, HttpRequest.BodyPublishers.ofString(Json.write(body)))
                                .build());
    }

    private static Map<String, Object> file(String name, String text, String path) throws IOException {
        put(name, text);
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("source", files.resolve(name).toString());
        file.put("path", path);
        file.put("sha256", sha256(files.resolve(name)));
        file.put("required", true);
        return file;
    }

    private static void put(String name, String text) throws IOException {
        server.write(files.resolve(name), text);
    }

    private static String sha256(Path file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
