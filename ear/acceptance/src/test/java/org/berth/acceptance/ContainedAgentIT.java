package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The real agent program in the embedded environment: its rig comes up, it works in its window, reports what it does
 * through the guest listener, and brings a result home through its MCP tool.
 */
class ContainedAgentIT {
    private static BerthServer server;
    private static ContainedRig rig;

    @BeforeAll
    static void start() throws IOException {
        server = BerthServer.create("contained-agent").withGuestListener().start();
        rig = new ContainedRig(server);
    }

    @AfterAll
    static void end() {
        server.close();
        rig.end();
    }

    @Test
    void aContainedWorkerReportsWhatItDoesAndBringsItsResultHome() throws Exception {
        String report = Json.write(Map.of("task", "task-one", "revision", 1, "report", "made in the environment"));
        Map<String, Object> export = new LinkedHashMap<>();
        try (ModelEndpoint model = new ModelEndpoint(question -> next(question, report, export))) {
            rig.writeRig(model);
            Answer team =
                    rig.post("/api/rigs?root=" + rig.root(), ContainedRig.rig()).expect(201);
            Answer created = rig.post("/api/environments/create", rig.create()).expect(201);
            assertThat(created.text("resource", "phase")).isEqualTo("Ready");
            rig.post(
                            "/api/queue/create",
                            Map.of(
                                    "qitemId",
                                    "task-one",
                                    "destinationSession",
                                    "team-worker@demo",
                                    "body",
                                    "Make the report"))
                    .expect(201);
            assertThat(rig.activity()).containsEntry("state", "unknown");

            Map<String, Object> up = Json.objects(
                            rig.post("/api/rigs/" + team.text("rigId") + "/up", Map.of())
                                    .expect(200)
                                    .json(),
                            "nodes")
                    .getFirst();
            assertThat(up).as("%s", up).containsEntry("status", "up");
            export.putAll(request(report, (String) up.get("generation")));

            try (StreamClient window = StreamClient.attach(server.api(), (String) up.get("viewer"))) {
                ContainedRig.awaitScreen(window, "\u276f");
                window.input("PLEASE-EXPORT".getBytes(StandardCharsets.UTF_8));
                ContainedRig.awaitScreen(window, "PLEASE-EXPORT");
                window.input("\r".getBytes(StandardCharsets.UTF_8));
                Await.until("the worker runs", ContainedRig.TURN, () -> states().contains("running"));
                ContainedRig.awaitScreen(window, "EXPORTED");
                Await.until(
                        "the worker is idle",
                        ContainedRig.TURN,
                        () -> "idle".equals(rig.activity().get("state")));
            }

            assertThat(rig.root().resolve("artifacts/worker-one/task-one-export-one.json"))
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
                    .allSatisfy(question -> assertThat(question.key()).isEqualTo(ContainedRig.KEY));
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
                .filter(each -> ContainedRig.commandLine(each).contains(nativeId))
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
        assertThat(ContainedRig.commandLine(pid)).doesNotContain(ContainedRig.KEY);
    }

    private static void assertNothingSecretIsKept() throws IOException {
        try (var files = Files.walk(server.home())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                boolean guestTree = file.startsWith(server.home().resolve("environments"));
                if (!guestTree && Files.size(file) < 64L * 1_048_576) {
                    assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                            .as(file.toString())
                            .doesNotContain(ContainedRig.KEY);
                }
            }
        }
    }

    private static Map<String, Object> request(String report, String generation) throws Exception {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("bindingId", "worker-one");
        request.put("operationId", "export-one");
        request.put("taskId", "task-one");
        request.put("generation", generation);
        request.put("path", "report.json");
        request.put("sha256", ContainedRig.sha256(report.getBytes(StandardCharsets.UTF_8)));
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
}
