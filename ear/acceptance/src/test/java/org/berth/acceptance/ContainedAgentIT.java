package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The real agent program in the embedded environment: its rig comes up, it works in its window, reports what it does
 * through the guest listener, and brings a result home through its MCP tool.
 */
class ContainedAgentIT {
    private static final Duration TURN = Duration.ofSeconds(90);
    private static final String GUEST_HOST = "host.openshell.internal";
    private static final String KEY = "canary-key-" + UUID.randomUUID();

    private static BerthServer server;
    private static Path root;

    @BeforeAll
    static void start() throws IOException {
        server = BerthServer.create("contained-agent").withGuestListener().start();
        root = server.directory("rig");
    }

    @AfterAll
    static void end() {
        server.close();
        // An environment outlives its server; the death of its namespace's init ends all of it.
        ProcessHandle.allProcesses()
                .filter(each -> commandLine(each.pid()).contains(server.home() + "/environments/"))
                .forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void aContainedWorkerReportsWhatItDoesAndBringsItsResultHome() throws Exception {
        String report = Json.write(Map.of("task", "task-one", "revision", 1, "report", "made in the environment"));
        Map<String, Object> export = new LinkedHashMap<>();
        try (ModelEndpoint model = new ModelEndpoint(question -> next(question, report, export))) {
            writeRig(model);
            Answer rig = post("/api/rigs?root=" + root, rig()).expect(201);
            Answer created = post("/api/environments/create", create()).expect(201);
            assertThat(created.text("resource", "phase")).isEqualTo("Ready");
            post(
                            "/api/queue/create",
                            Map.of(
                                    "qitemId",
                                    "task-one",
                                    "destinationSession",
                                    "team-worker@demo",
                                    "body",
                                    "Make the report"))
                    .expect(201);
            assertThat(activity()).containsEntry("state", "unknown");

            Map<String, Object> up = Json.objects(
                            post("/api/rigs/" + rig.text("rigId") + "/up", Map.of())
                                    .expect(200)
                                    .json(),
                            "nodes")
                    .getFirst();
            assertThat(up).as("%s", up).containsEntry("status", "up");
            export.putAll(request(report, (String) up.get("generation")));

            try (StreamClient window = StreamClient.attach(server.api(), (String) up.get("viewer"))) {
                awaitScreen(window, "\u276f");
                window.input("PLEASE-EXPORT".getBytes(StandardCharsets.UTF_8));
                awaitScreen(window, "PLEASE-EXPORT");
                window.input("\r".getBytes(StandardCharsets.UTF_8));
                Await.until("the worker runs", TURN, () -> states().contains("running"));
                awaitScreen(window, "EXPORTED");
                Await.until(
                        "the worker is idle",
                        TURN,
                        () -> "idle".equals(activity().get("state")));
            }

            assertThat(root.resolve("artifacts/worker-one/task-one-export-one.json"))
                    .hasContent(report);
            List<Map<String, Object>> transitions = Json.objects(
                    server.api()
                            .get("/api/queue/task-one/transitions")
                            .expect(200)
                            .json(),
                    "transitions");
            Map<String, Object> receipt = transitions.getLast();
            assertThat(receipt)
                    .containsEntry("actorSession", "team-worker@demo")
                    .containsEntry("identityProvenance", "principal:v1");
            assertThat((String) receipt.get("transitionNote")).contains("export-one");
            assertThat(server.api().get("/api/queue/task-one").expect(200).text("state"))
                    .isEqualTo("pending");
            assertThat(model.questions())
                    .allSatisfy(question -> assertThat(question.key()).isEqualTo(KEY));
            assertThat(model.questions().toString()).contains("You are the worker of the demo");
            assertContained((String) up.get("nativeId"));
            assertNothingSecretIsKept();
        }
    }

    private static ModelEndpoint.Block next(Map<String, Object> question, String report, Map<String, Object> export) {
        String messages = Json.write(question.getOrDefault("messages", List.of()));
        if (!messages.contains("PLEASE-EXPORT")
                || !Json.write(question.getOrDefault("tools", List.of())).contains("\"Write\"")) {
            return new ModelEndpoint.Block.Text("ok");
        }
        int results = messages.split("\"tool_result\"", -1).length - 1;
        return switch (results) {
            case 0 ->
                new ModelEndpoint.Block.ToolUse(
                        "use-1", "Read", Map.of("file_path", "/sandbox/openrig/work/.openrig/startup/role.md"));
            case 1 ->
                new ModelEndpoint.Block.ToolUse(
                        "use-2",
                        "Write",
                        Map.of("file_path", "/sandbox/openrig/work/artifacts/report.json", "content", report));
            case 2 -> new ModelEndpoint.Block.ToolUse("use-3", "mcp__openrig__rig_environment_export", export);
            default -> new ModelEndpoint.Block.Text("EXPORTED");
        };
    }

    /** The agent's namespaces are its own, and its process list shows no secret. */
    private static void assertContained(String nativeId) throws IOException {
        long pid = ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(each -> commandLine(each).contains(nativeId))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no process carries " + nativeId));
        for (String namespace : List.of("pid", "net", "mnt", "user")) {
            assertThat(Files.readSymbolicLink(Path.of("/proc/" + pid + "/ns/" + namespace)))
                    .as(namespace)
                    .isNotEqualTo(Files.readSymbolicLink(Path.of("/proc/" + server.pid() + "/ns/" + namespace)));
        }
        Path view = Path.of("/proc/" + pid + "/root");
        assertThat(Files.exists(view.resolve(server.home().toString().substring(1))))
                .isFalse();
        assertThat(Files.exists(view.resolve("root"))).isFalse();
        assertThat(Files.exists(view.resolve("etc/shadow"))).isFalse();
        assertThat(commandLine(pid)).doesNotContain(KEY);
    }

    /** Empty for a process that is gone. */
    private static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1)
                    .replace('\0', ' ');
        } catch (IOException e) {
            return "";
        }
    }

    private static void assertNothingSecretIsKept() throws IOException {
        try (var files = Files.walk(server.home())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                boolean guestTree = file.startsWith(server.home().resolve("environments"));
                if (!guestTree && Files.size(file) < 64L * 1_048_576) {
                    assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                            .as(file.toString())
                            .doesNotContain(KEY);
                }
            }
        }
    }

    private static void writeRig(ModelEndpoint model) throws IOException {
        StringBuilder policy = new StringBuilder("version: 1\nnetwork_policies:\n");
        Map<String, Integer> ports = new LinkedHashMap<>();
        ports.put("mcp", 7781 + server.portOffset());
        ports.put("activity", 7782 + server.portOffset());
        ports.put("model", model.port());
        ports.forEach((name, port) -> policy.append("  ")
                .append(name)
                .append(": { endpoints: [ { host: ")
                .append(GUEST_HOST)
                .append(", port: ")
                .append(port)
                .append(", protocol: rest, access: read-write, enforcement: enforce } ],")
                .append(" binaries: [ { path: /usr/local/bin/claude } ] }\n"));
        file("policy.yaml", policy.toString());
        file("agents/worker/role.md", "You are the worker of the demo.\n");
        file("agents/worker/agent.yaml", """
                name: worker
                version: "1.0"
                profiles: { default: { uses: { plugins: [openrig-core] }, permission_mode: acceptEdits } }
                resources:
                  plugins:
                    - { id: openrig-core, source: { kind: local, path: "openrig-home:plugins/openrig-core" } }
                startup:
                  files: [ { path: role.md, orientation: role, delivery_hint: send_text, required: true } ]
                  actions: []
                """);
        Path key = file("key", KEY);
        Path host = server.home().resolve("host.yaml");
        Files.writeString(host, """
                environments: { roots: [ "%s" ] }
                credentials:
                  model: { kind: environment, destination: ANTHROPIC_API_KEY, source: { file: "%s" }, optional: false }
                providers:
                  loopback: { environment: { ANTHROPIC_BASE_URL: "http://%s:%d" }, credentials: [ model ] }
                """.formatted(root, key, GUEST_HOST, model.port()));
        for (Path each : List.of(key, host)) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rw-------"));
        }
        try (var all = Files.walk(root)) {
            all.forEach(server::give);
        }
        server.give(host);
        server.api().post("/api/placement/host/reload").expect(200);
    }

    private static Path file(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static Map<String, Object> rig() {
        return Map.of(
                "version",
                "0.2",
                "name",
                "demo",
                "pods",
                List.of(Map.of(
                        "id",
                        "team",
                        "members",
                        List.of(Map.of(
                                "id",
                                "worker",
                                "agent_ref",
                                "local:agents/worker",
                                "runtime",
                                "openshell-claude",
                                "profile",
                                "default",
                                "cwd",
                                ".")))));
    }

    private static Map<String, Object> create() throws Exception {
        Path program = AgentProgram.installed();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("version", 1);
        body.put("bindingId", "worker-one");
        body.put("operationId", "create-one");
        body.put("seat", "team-worker@demo");
        body.put("baseRuntime", "claude-code");
        body.put("guestRoot", "/sandbox/openrig");
        body.put("guestBaseUrl", "http://" + GUEST_HOST + ":" + (7782 + server.portOffset()));
        body.put("artifactRoot", root.resolve("artifacts").toString());
        body.put(
                "placement",
                Map.of(
                        "gateway",
                        "local",
                        "workspace",
                        "demo",
                        "name",
                        "worker-one",
                        "image",
                        program.toRealPath() + "@sha256:" + sha256(Files.readAllBytes(program)),
                        "provider",
                        "loopback",
                        "policy",
                        root.resolve("policy.yaml").toString()));
        return body;
    }

    private static Map<String, Object> request(String report, String generation) throws Exception {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("bindingId", "worker-one");
        request.put("operationId", "export-one");
        request.put("taskId", "task-one");
        request.put("generation", generation);
        request.put("path", "report.json");
        request.put("sha256", sha256(report.getBytes(StandardCharsets.UTF_8)));
        request.put("bytes", report.length());
        request.put(
                "schema",
                Map.of(
                        "format",
                        "json-object/v1",
                        "fields",
                        Map.of("task", "string", "revision", "number", "report", "string"),
                        "required",
                        List.of("task", "revision", "report")));
        request.put("context", Map.of("task", "task-one", "revision", 1));
        return request;
    }

    private static Answer post(String path, Map<String, ?> body) {
        return Api.send(server.api()
                .request(path)
                .header("Content-Type", "application/json")
                .header("X-OpenRig-Session", "operator@demo")
                .POST(java.net.http.HttpRequest.BodyPublishers.ofString(Json.write(body)))
                .build());
    }

    private static Map<String, Object> activity() {
        return server.api()
                .get("/api/activity/seats/team-worker@demo")
                .expect(200)
                .json();
    }

    private static List<Object> states() {
        return Json.objects(
                        server.api()
                                .get("/api/activity/events?seat=team-worker@demo")
                                .expect(200)
                                .json(),
                        "events")
                .stream()
                .map(event -> event.get("state"))
                .toList();
    }

    private static void awaitScreen(StreamClient stream, String text) {
        Await.value(
                "\"" + text + "\" on the screen",
                TURN,
                () -> AgentIT.screen(stream).replace(" ", ""),
                seen -> seen.contains(text));
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
