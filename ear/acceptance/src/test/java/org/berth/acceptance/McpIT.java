package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Work grants on the MCP listener, called by the SDK's own client. Source: the environment reference's MCP test. */
class McpIT {
    private static final BerthServer SERVER = BerthServer.shared();
    private static final String RIG = "mcp" + Long.toString(System.nanoTime(), 36);
    private static final String WORKER = "team-worker@" + RIG;
    private static final String COORDINATOR = "team-coordinator@" + RIG;
    private static final String THIRD = "team-third@" + RIG;
    private static final String FORGED = "{\"source\":\"file\",\"id\":\"forged\"}";

    private final Api api = SERVER.api();
    private final List<McpSyncClient> clients = new ArrayList<>();

    @BeforeAll
    static void rig() {
        SERVER.api()
                .raw("POST", "/api/rigs", "application/yaml", """
                        version: "0.2"
                        name: %s
                        pods:
                          - id: team
                            members:
                              - { id: worker, agent_ref: "local:agents/a", runtime: command, profile: default, cwd: . }
                              - { id: coordinator, agent_ref: "local:agents/a", runtime: command, profile: default, cwd: . }
                              - { id: third, agent_ref: "local:agents/a", runtime: command, profile: default, cwd: . }
                        """.formatted(RIG).getBytes(StandardCharsets.UTF_8))
                .expect(201);
    }

    @AfterEach
    void close() {
        clients.forEach(McpSyncClient::close);
    }

    @Test
    void aGrantInitializesAndSeesTheToolsWithTheirSchemasAndHints() {
        McpSyncClient worker = connect(grant("worker", WORKER));
        assertThat(worker.getServerInfo().name()).isEqualTo("berth");
        Map<String, McpSchema.Tool> tools = new LinkedHashMap<>();
        worker.listTools().tools().forEach(tool -> tools.put(tool.name(), tool));
        assertThat(tools)
                .containsKeys(
                        "rig_whoami",
                        "rig_team",
                        "rig_queue_list",
                        "rig_queue_show",
                        "rig_queue_create",
                        "rig_queue_claim",
                        "rig_queue_update");
        assertThat(tools.values()).allSatisfy(tool -> {
            assertThat(tool.description()).isNotBlank();
            assertThat(tool.inputSchema()).containsEntry("type", "object").containsEntry("additionalProperties", false);
        });
        assertThat(tools.get("rig_queue_list").annotations().readOnlyHint()).isTrue();
        assertThat(tools.get("rig_queue_create").annotations().readOnlyHint()).isFalse();
        assertThat(tools.get("rig_queue_create").annotations().destructiveHint())
                .isFalse();
        assertThat(tools.get("rig_queue_update").annotations().destructiveHint())
                .isTrue();
        assertThat(tools.get("rig_queue_create").inputSchema().get("required"))
                .isEqualTo(List.of("destinationSession", "body"));
    }

    @Test
    void theLatestProtocolAndOlderOnesAreSpoken() {
        String token = grant("worker", WORKER).token;
        for (String version : List.of("2025-11-25", "2025-06-18")) {
            Answer answer = rpc(
                    token,
                    Map.of(
                            "jsonrpc",
                            "2.0",
                            "id",
                            1L,
                            "method",
                            "initialize",
                            "params",
                            Map.of(
                                    "protocolVersion", version,
                                    "capabilities", Map.of(),
                                    "clientInfo", Map.of("name", "t", "version", "1"))));
            assertThat(answer.expect(200).text("result", "protocolVersion")).isEqualTo(version);
        }
        assertThat(Api.send(request(token).GET().build()).status()).isEqualTo(405);
    }

    @Test
    void itKnowsItsSeatAndItsTeam() {
        Grant grant = grant("worker", WORKER);
        McpSyncClient worker = connect(grant);
        assertThat(call(worker, "rig_whoami", Map.of()))
                .containsEntry("seat", WORKER)
                .containsEntry("grant", grant.name)
                .containsEntry("rigs", List.of(RIG))
                .containsEntry("runtime", "command");
        assertThat(call(worker, "rig_team", Map.of()).get("members"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.list(Map.class))
                .extracting(member -> member.get("seat") + " " + member.get("activity"))
                .containsExactly(WORKER + " unknown", COORDINATOR + " unknown", THIRD + " unknown");
    }

    @Test
    void workGoesThroughItsStatesUnderTheGrantsName() {
        Grant coordinatorGrant = grant("coordinator", COORDINATOR);
        McpSyncClient coordinator = connect(coordinatorGrant);
        Grant workerGrant = grant("worker", WORKER);
        McpSyncClient worker = connect(workerGrant);
        String id = "q-" + UUID.randomUUID();
        assertThat(call(
                        coordinator,
                        "rig_queue_create",
                        Map.of("qitemId", id, "destinationSession", WORKER, "body", "Return the report")))
                .containsEntry("state", "pending")
                .containsEntry("sourceSession", COORDINATOR);
        assertThat(ids(call(worker, "rig_queue_list", Map.of()))).contains(id);
        assertThat(ids(call(coordinator, "rig_queue_list", Map.of()))).doesNotContain(id);
        assertThat(ids(call(coordinator, "rig_queue_list", Map.of("role", "assigner"))))
                .contains(id);
        assertThat(call(worker, "rig_queue_claim", Map.of("qitemId", id))).containsEntry("state", "in-progress");
        assertThat(error(worker, "rig_queue_update", Map.of("qitemId", id, "state", "done")))
                .isEqualTo("work_closure_required");
        assertThat(call(
                        worker,
                        "rig_queue_update",
                        Map.of("qitemId", id, "state", "done", "closureReason", "no-follow-on")))
                .containsEntry("state", "done");

        List<Map<String, Object>> transitions = Json.objects(
                api.get("/api/queue/" + id + "/transitions").expect(200).json(), "transitions");
        assertThat(transitions.getLast())
                .containsEntry("actorSession", WORKER)
                .containsEntry("identityProvenance", "principal:v1")
                .containsEntry("identityPrincipal", "{\"source\":\"file\",\"id\":\"" + workerGrant.name + "\"}");
        assertThat(transitions.getFirst())
                .containsEntry("identityPrincipal", "{\"source\":\"file\",\"id\":\"" + coordinatorGrant.name + "\"}");
        assertThat(transitions.toString()).doesNotContain("forged");
    }

    @Test
    void whatIsNotItsOwnIsOutOfScope() {
        McpSyncClient coordinator = connect(grant("coordinator", COORDINATOR));
        McpSyncClient third = connect(grant("third", THIRD));
        String id = "q-" + UUID.randomUUID();
        call(coordinator, "rig_queue_create", Map.of("qitemId", id, "destinationSession", WORKER, "body", "x"));
        assertThat(error(third, "rig_queue_show", Map.of("qitemId", id))).isEqualTo("FORBIDDEN");
        assertThat(error(third, "rig_queue_claim", Map.of("qitemId", id))).isEqualTo("FORBIDDEN");
        assertThat(error(third, "rig_queue_update", Map.of("qitemId", id, "transitionNote", "x")))
                .isEqualTo("FORBIDDEN");
        assertThat(error(third, "rig_queue_show", Map.of("qitemId", "none"))).isEqualTo("FORBIDDEN");
        assertThat(ids(call(third, "rig_queue_list", Map.of("role", "any")))).doesNotContain(id);
        assertThat(error(third, "rig_queue_create", Map.of("destinationSession", "team-worker@elsewhere", "body", "x")))
                .isEqualTo("FORBIDDEN");
        assertThat(Json.objects(
                        api.get("/api/queue/" + id + "/transitions").expect(200).json(), "transitions"))
                .hasSize(1);
    }

    @Test
    void anUnknownGrantDoesNotConnect() {
        for (String token : List.of("invalid", "", "berth-work-" + "A".repeat(43), SERVER.ownerToken())) {
            assertThatThrownBy(() -> connect(new Grant("none", token))).isInstanceOf(RuntimeException.class);
        }
        rpc("invalid", Map.of()).expectProblem(401, "work_grant_revoked");
    }

    @Test
    void aRevokedGrantIsRefusedOnTheNextCallOfAnOpenSession() {
        Grant grant = grant("worker", WORKER);
        McpSyncClient worker = connect(grant);
        call(worker, "rig_whoami", Map.of());
        api.post("/api/grants/work/" + grant.name + "/revoke", Map.of("reason", "lost"))
                .expect(200);
        assertThatThrownBy(() -> worker.callTool(request("rig_whoami", Map.of())))
                .isInstanceOf(RuntimeException.class);
        rpc(grant.token, ping()).expectProblem(401, "work_grant_revoked");
        assertThat(api.post("/api/grants/work/" + grant.name + "/revoke")
                        .expect(200)
                        .text("revokedReason"))
                .isEqualTo("lost");

        String next = issue(grant.name, WORKER);
        rpc(next, ping()).expect(200);
        rpc(grant.token, ping()).expectProblem(401, "work_grant_revoked");
    }

    @Test
    void aWebPageOfAnotherOriginMayNotCall() {
        String token = grant("worker", WORKER).token;
        assertThat(Api.send(post(request(token).header("Origin", "http://attacker.example"), ping())
                                .build())
                        .expectProblem(403, "FORBIDDEN")
                        .status())
                .isEqualTo(403);
        Api.send(post(request(token).header("Origin", "http://localhost:8080"), ping())
                        .build())
                .expect(200);
    }

    @Test
    void argumentsThatBreakTheirSchemaAreRefused() {
        McpSyncClient worker = connect(grant("worker", WORKER));
        assertThat(worker.callTool(request("rig_queue_create", Map.of("body", "x")))
                        .isError())
                .isTrue();
        assertThat(worker.callTool(request("rig_queue_list", Map.of("limit", 0)))
                        .isError())
                .isTrue();
    }

    private record Grant(String name, String token) {}

    private Grant grant(String name, String seat) {
        String unique = name + "-" + UUID.randomUUID();
        return new Grant(unique, issue(unique, seat));
    }

    private String issue(String name, String seat) {
        return api.post("/api/grants/work", Map.of("name", name, "seat", seat))
                .expect(201)
                .text("token");
    }

    private McpSyncClient connect(Grant grant) {
        McpSyncClient client = McpClient.sync(HttpClientStreamableHttpTransport.builder(SERVER.mcpUrl())
                        .endpoint("/mcp")
                        .requestBuilder(HttpRequest.newBuilder()
                                .header("Authorization", "Bearer " + grant.token)
                                .header("X-OpenRig-Principal", FORGED)
                                .header("X-OpenRig-Session", COORDINATOR))
                        .build())
                .build();
        clients.add(client);
        client.initialize();
        return client;
    }

    private static McpSchema.CallToolRequest request(String tool, Map<String, Object> arguments) {
        return McpSchema.CallToolRequest.builder(tool).arguments(arguments).build();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> call(McpSyncClient client, String tool, Map<String, Object> arguments) {
        McpSchema.CallToolResult result = client.callTool(request(tool, arguments));
        assertThat(result.isError()).as(tool + " answers " + result.content()).isNotEqualTo(true);
        return (Map<String, Object>) result.structuredContent();
    }

    private static Object error(McpSyncClient client, String tool, Map<String, Object> arguments) {
        McpSchema.CallToolResult result = client.callTool(request(tool, arguments));
        assertThat(result.isError()).as(tool + " answers " + result.content()).isTrue();
        return ((Map<?, ?>) result.structuredContent()).get("code");
    }

    private static List<Object> ids(Map<String, Object> page) {
        return ((List<?>) page.get("items"))
                .stream()
                        .map(item -> (Object) ((Map<?, ?>) item).get("qitemId"))
                        .toList();
    }

    private static Map<String, Object> ping() {
        return Map.of("jsonrpc", "2.0", "id", 1L, "method", "ping");
    }

    private static HttpRequest.Builder request(String token) {
        return new Api(SERVER.mcpUrl(), token)
                .request("/mcp")
                .header("Accept", "application/json, text/event-stream")
                .header("Content-Type", "application/json");
    }

    private static HttpRequest.Builder post(HttpRequest.Builder request, Map<String, Object> body) {
        return request.POST(HttpRequest.BodyPublishers.ofString(Json.write(body)));
    }

    private static Answer rpc(String token, Map<String, Object> body) {
        return Api.send(post(request(token), body).build());
    }
}
