package org.berth.acceptance;

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

/** One rig whose worker is the real agent program in the embedded environment, with a model on loopback. */
final class ContainedRig {
    static final Duration TURN = Duration.ofSeconds(90);
    static final String KEY = "canary-key-" + UUID.randomUUID();

    private static final String GUEST_HOST = "host.openshell.internal";

    private final BerthServer server;
    private final Path root;

    ContainedRig(BerthServer server) {
        this.server = server;
        root = server.directory("rig");
    }

    /** Ends the environments that outlive the server; the death of a namespace's init ends all of it. */
    void end() {
        ProcessHandle.allProcesses()
                .filter(each -> commandLine(each.pid()).contains(server.home() + "/environments/"))
                .forEach(ProcessHandle::destroyForcibly);
    }

    Path root() {
        return root;
    }

    /** The processes of this host that carry {@code text} on their command line. */
    static List<Long> carrying(String text) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(each -> commandLine(each).contains(text))
                .toList();
    }

    /** Empty for a process that is gone. */
    static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1)
                    .replace('\0', ' ');
        } catch (IOException e) {
            return "";
        }
    }

    void writeRig(ModelEndpoint model) throws IOException {
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

    private Path file(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    static Map<String, Object> rig() {
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

    Map<String, Object> create() throws Exception {
        Path program = AgentProgram.CLAUDE.installed();
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

    Answer post(String path, Map<String, ?> body) {
        return server.api().postAs("operator@demo", path, body);
    }

    Map<String, Object> activity() {
        return server.api()
                .get("/api/activity/seats/team-worker@demo")
                .expect(200)
                .json();
    }

    static void awaitScreen(StreamClient stream, String text) {
        Await.value(
                "\"" + text + "\" on the screen",
                TURN,
                () -> AgentIT.screen(stream).replace(" ", ""),
                seen -> seen.contains(text));
    }

    static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
