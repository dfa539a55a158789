package org.berth.acceptance.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.berth.acceptance.agent.AgentPrograms;
import org.berth.acceptance.openshell.OpenShellWorld;

/** One rig with one worker, one admitted directory, and one OpenShell double with a workspace of its own. */
public final class EnvironmentWorld implements AutoCloseable {
    private static final String AGENT = """
            name: worker
            version: "1.0"
            profiles: { default: { uses: { plugins: [openrig-core] } } }
            resources:
              plugins:
                - { id: openrig-core, source: { kind: local, path: "openrig-home:plugins/openrig-core" } }
            startup:
              files: [ { path: role.md, orientation: role, delivery_hint: send_text, required: true } ]
              actions: []
            """;
    private static final String NATIVE_TYPE = "community:openshell-claude";
    private static final String GUEST_HOST = "host.openshell.internal";
    private static final String GUEST_IMAGE = "guest-helper/target/guest";

    private final BerthServer server;
    private final String unique = UUID.randomUUID().toString().substring(0, 8);
    private final Path root;
    private final OpenShellWorld openShell;
    private final String rigId;
    private final String rigName;
    private final String nodeId;
    private final String seat;
    private final Path policy;
    private final String hostPolicyBefore;

    @SuppressWarnings("unchecked")
    public EnvironmentWorld(BerthServer server) {
        this.server = server;
        root = server.directory("environment-" + unique);
        openShell = new OpenShellWorld(directory("openshell"), Path.of(System.getProperty("berth.root"), GUEST_IMAGE));
        hostPolicyBefore = BerthServer.read(server.home().resolve("host.yaml"));
        policy = file("policy.yaml", "version: 1\n");
        file("agents/worker/role.md", "You are the worker of " + unique + ".\n");
        file("agents/worker/agent.yaml", AGENT);
        giveAll();
        select();
        rigName = "rig-" + unique;
        Map<String, Object> rig =
                post("/api/rigs?root=" + root, rig()).expect(201).json();
        rigId = (String) rig.get("rigId");
        Map<String, Object> node = ((List<Map<String, Object>>) rig.get("nodes")).getFirst();
        nodeId = (String) node.get("nodeId");
        seat = (String) node.get("seat");
    }

    private Map<String, Object> rig() {
        return Map.of(
                "version",
                "0.2",
                "name",
                rigName,
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

    /** Makes this world's roots, double and provider those of the server, which knows one world at a time. */
    public void select() {
        hostPolicy("openshell: { executable: \"" + openShell.executable() + "\" }\n"
                + "providers: { stand-in: { environment: { ANTHROPIC_API_KEY: key-of-" + unique + " } } }\n");
    }

    /** Puts {@code more} behind the roots that this world needs, and has the server read it. */
    public void hostPolicy(String more) {
        writeHostPolicy("environments: { roots: [ \"" + root + "\" ] }\n" + more);
        server.api().post("/api/placement/host/reload").expect(200);
    }

    private void writeHostPolicy(String text) {
        try {
            Path file = server.home().resolve("host.yaml");
            Files.writeString(file, text);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            server.give(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the double's processes and puts the host's policy back. */
    @Override
    public void close() {
        openShell.end();
        writeHostPolicy(hostPolicyBefore);
        if (server.runs()) {
            server.api().post("/api/placement/host/reload").expect(200);
        }
    }

    public OpenShellWorld openShell() {
        return openShell;
    }

    public BerthServer server() {
        return server;
    }

    public Path root() {
        return root;
    }

    public String rigId() {
        return rigId;
    }

    public String rigName() {
        return rigName;
    }

    public String nodeId() {
        return nodeId;
    }

    public String seat() {
        return seat;
    }

    /** The seat that writes here unless a test says otherwise. */
    public String coordinator() {
        return "coordinator@" + rigName;
    }

    public String binding() {
        return "binding-" + unique;
    }

    /** {@code what} and this world's mark: ids are unique over all bindings. */
    public String id(String what) {
        return what + "-" + unique;
    }

    /** The body of create and attach; the double's name is {@code worker-one}, its workspace this world's. */
    public Map<String, Object> input(String operation) {
        Map<String, Object> placement = new LinkedHashMap<>();
        placement.put("gateway", "gateway");
        placement.put("workspace", workspace());
        placement.put("name", "worker-one");
        placement.put("image", "image@sha256:" + "a".repeat(64));
        placement.put("provider", "provider-ref");
        placement.put("policy", policy.toString());
        Map<String, Object> input = new LinkedHashMap<>();
        input.put("version", 1);
        input.put("bindingId", binding());
        input.put("operationId", operation);
        input.put("nodeId", nodeId);
        input.put("seat", seat);
        input.put("baseRuntime", "claude-code");
        input.put("guestRoot", "/sandbox/openrig");
        input.put("guestBaseUrl", server.guestUrl());
        input.put("artifactRoot", directory("exports").toString());
        input.put("placement", placement);
        server.give(root.resolve("exports"));
        return input;
    }

    @SuppressWarnings("unchecked")
    public static Map<String, Object> placement(Map<String, Object> input) {
        return (Map<String, Object>) input.get("placement");
    }

    public String workspace() {
        return "workspace-" + unique;
    }

    public Answer create() {
        return post("/api/environments/create", input(id("create-one")));
    }

    /** The body of a create in the embedded driver, with the stand-in agent and the two listeners let in. */
    public Map<String, Object> local(String operation) {
        Path agent = root.resolve("agent");
        try {
            if (Files.notExists(agent)) {
                AgentPrograms.standIn(agent);
                server.give(agent);
            }
            Map<String, Object> input = input(operation);
            input.put("guestBaseUrl", "http://" + GUEST_HOST + ":" + (7782 + server.portOffset()));
            Map<String, Object> placement = placement(input);
            placement.put("gateway", "local");
            placement.put(
                    "image",
                    agent + "@sha256:"
                            + HexFormat.of()
                                    .formatHex(
                                            MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(agent))));
            placement.put("provider", "stand-in");
            placement.put("policy", file("local.yaml", listeners()).toString());
            return input;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A policy that lets out to the server's MCP and guest listeners and to nothing else. */
    public String listeners() {
        StringBuilder text = new StringBuilder("version: 1\nnetwork_policies:\n");
        for (int port : new int[] {7781, 7782}) {
            text.append("  p")
                    .append(port)
                    .append(": { endpoints: [ { host: ")
                    .append(GUEST_HOST)
                    .append(", port: ")
                    .append(port + server.portOffset())
                    .append(", protocol: rest } ] }\n");
        }
        return text.toString();
    }

    /** A POST of an effect on this world's binding. @param generation null while the binding has none */
    public Answer effect(String operation, String effect, String generation) {
        return effect(operation, effect, generation, null);
    }

    /** @param engineSocket null for none */
    public Answer effect(String operation, String effect, String generation, Path engineSocket) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("operationId", operation);
        body.put("effect", effect);
        if (generation != null) {
            body.put("generation", generation);
        }
        if (engineSocket != null) {
            body.put("engineSocket", engineSocket.toString());
        }
        return on("effect", body);
    }

    /** The body of a recreation of this world's binding on {@code placement}, of the stand-in agent's conversation. */
    public Map<String, Object> recreation(
            String generation, String checkpointId, String nativeId, Map<String, Object> placement) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("operationId", id("recreate"));
        body.put("generation", generation);
        body.put("checkpointId", checkpointId);
        body.put("resumeType", NATIVE_TYPE);
        body.put("resumeToken", nativeId);
        body.put("placement", placement);
        return body;
    }

    /** The journalled operation of that id, as the binding shows it. */
    public Map<String, Object> operation(String operation) {
        return Json.objects(inspect().expect(200).json(), "operations").stream()
                .filter(each -> operation.equals(each.get("operationId")))
                .findFirst()
                .orElseThrow();
    }

    /** A POST of the coordinator. */
    public Answer post(String path, Map<String, ?> body) {
        return postAs(coordinator(), path, body);
    }

    /** A POST that names {@code sender}; null for none. */
    public Answer postAs(String sender, String path, Map<String, ?> body) {
        return server.api().postAs(sender, path, body);
    }

    /** A DELETE of {@code sender}. */
    public Answer deleteAs(String sender, String path) {
        return Api.send(server.api()
                .request(path)
                .header("X-OpenRig-Session", sender)
                .DELETE()
                .build());
    }

    public Answer get(String path) {
        return server.api().get(path);
    }

    public Answer inspect() {
        return get("/api/environments/" + binding());
    }

    /** A POST on this world's binding. */
    public Answer on(String action, Map<String, ?> body) {
        return post("/api/environments/" + binding() + "/" + action, body);
    }

    /** Starts the rig's members; the worker's row. */
    public Map<String, Object> up() {
        return Json.objects(
                        post("/api/rigs/" + rigId + "/up", Map.of()).expect(200).json(), "nodes")
                .getFirst();
    }

    /** A work item of the worker. */
    public String task() {
        String task = id("task-one");
        post("/api/queue/create", Map.of("qitemId", task, "destinationSession", seat, "body", "Produce the report"));
        return task;
    }

    /** How many transitions of {@code task} carry a note with {@code text}. */
    public long notes(String task, String text) {
        return Json.objects(
                        get("/api/queue/" + task + "/transitions").expect(200).json(), "transitions")
                .stream()
                .filter(row -> String.valueOf(row.get("transitionNote")).contains(text))
                .count();
    }

    /** The guest's tree, as the double keeps it. */
    public Path tree() {
        return openShell.tree(workspace(), "worker-one");
    }

    public Path directory(String name) {
        try {
            return Files.createDirectories(root.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An admitted host file of the server's user. */
    public Path file(String name, String text) {
        try {
            Path file = root.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            server.give(file);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives everything in this world to the server's user. */
    public void giveAll() {
        try (var all = Files.walk(root)) {
            all.filter(path -> !Files.isSymbolicLink(path)).forEach(server::give);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One entry of a projection's {@code files}. */
    public static Map<String, Object> projected(Path source, String path, String text) {
        return Map.of("source", source.toString(), "path", path, "sha256", sha256(text), "required", true);
    }

    public Answer project(String operation, String generation, List<Map<String, Object>> files) {
        return on("project", Map.of("operationId", operation, "generation", generation, "files", files));
    }

    public static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
