package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.environment.EnvironmentWorld.sha256;

import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.Json;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Exports. Source: the reference's tests of the managed environment artifact return. */
class ArtifactReturnIT {
    private EnvironmentWorld world;
    private String task;
    private String report;
    private Map<String, Object> request;

    @BeforeEach
    void aWorkerWithAReport() throws Exception {
        world = new EnvironmentWorld(BerthServer.shared());
        world.create().expect(201);
        task = world.id("task-one");
        world.post(
                        "/api/queue/create",
                        Map.of("qitemId", task, "destinationSession", world.seat(), "body", "Produce the report"))
                .expect(201);
        world.project(world.id("projection-one"), "generation-one", List.of()).expect(200);
        report = "{\"task\":\"" + task + "\",\"revision\":2,\"report\":\"actual artifact bytes\"}";
        Path artifact = world.tree().resolve("work/artifacts/report.json");
        Files.writeString(artifact, report);
        world.server().give(artifact);
        request = new LinkedHashMap<>();
        request.put("operationId", world.id("export-one"));
        request.put("taskId", task);
        request.put("generation", "generation-one");
        request.put("path", "report.json");
        request.put("sha256", sha256(report));
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
        request.put("context", Map.of("task", task, "revision", 2));
    }

    private Answer export() {
        return world.on("export", request);
    }

    private long reads() {
        return world.openShell().helperCalls("--read");
    }

    private long notes() {
        return Json.objects(
                        world.get("/api/queue/" + task + "/transitions")
                                .expect(200)
                                .json(),
                        "transitions")
                .stream()
                .filter(row -> String.valueOf(row.get("transitionNote")).contains(world.id("export-one")))
                .count();
    }

    @AfterEach
    void putBack() {
        world.close();
    }

    @Test
    void verifiedBytesArePublishedOnceWithAReceiptOnTheSameWork() throws Exception {
        Answer receipt = export().expect(200);

        assertThat(receipt.text("bindingId")).isEqualTo(world.binding());
        assertThat(receipt.text("taskId")).isEqualTo(task);
        assertThat(receipt.text("sha256")).isEqualTo(sha256(report));
        assertThat(receipt.number("bytes")).isEqualTo(report.length());
        assertThat(receipt.text("actor")).isEqualTo(world.coordinator());
        assertThat(Path.of(receipt.text("path"))).hasContent(report);
        assertThat(notes()).isEqualTo(1);
        long before = reads();
        assertThat(export().expect(200).json()).isEqualTo(receipt.json());
        assertThat(reads()).isEqualTo(before);
        assertThat(notes()).isEqualTo(1);
        assertThat(world.get("/api/queue/" + task).expect(200).text("state")).isNotEqualTo("done");
    }

    @Test
    void bytesThatAreAlreadyHomeAreUsedThoughTheGuestIsGone() throws Exception {
        Path target = world.root()
                .resolve("exports/" + world.binding() + "/" + task + "-" + world.id("export-one") + ".json");
        Files.createDirectories(target.getParent());
        Files.writeString(target, report);
        world.server().give(target.getParent());
        world.server().give(target);
        world.openShell().fault("exec", "always:fail");
        world.openShell().fault("get", "always:fail");

        assertThat(export().expect(200).text("sha256")).isEqualTo(sha256(report));
        assertThat(notes()).isEqualTo(1);
    }

    @Test
    void changedHostBytesAreKeptAndRefused() throws Exception {
        Path home = Path.of(export().expect(200).text("path"));
        Files.writeString(home, "changed owner bytes");

        export().expectProblem(409, "artifact_bytes_changed");
        assertThat(home).hasContent("changed owner bytes");
    }

    @Test
    void aMatchingDigestWithAnotherContextIsRefusedWithoutAReceipt() {
        request.put("context", Map.of("task", task, "revision", 3));

        export().expectProblem(409, "artifact_context_mismatch");
        assertThat(notes()).isZero();
    }

    @Test
    void aStaleGenerationIsRefusedBeforeAnyRead() {
        long before = reads();
        request.put("generation", "older-generation");

        export().expectProblem(409, "environment_generation_changed");
        assertThat(reads()).isEqualTo(before);
    }

    @Test
    void nothingOutsideTheArtifactRootComesHome() {
        long before = reads();
        request.put("path", "../../native/history.jsonl");

        export().expectProblem(400, "invalid_environment_path");
        assertThat(reads()).isEqualTo(before);
    }

    @Test
    void aFileThatGrowsWhileItIsReadIsRefusedAndNothingIsPublished() {
        world.openShell().fault("exec", "grow=work/artifacts/report.json");

        Answer answer = export();
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.text("code")).isIn("environment_file_invalid", "artifact_bytes_changed");
        assertThat(world.root()
                        .resolve("exports/" + world.binding() + "/" + task + "-" + world.id("export-one") + ".json"))
                .doesNotExist();
    }

    @Test
    void aLostReplyOfTheReadIsRepeatedByTheSameOperationOnly() {
        world.openShell().fault("exec", "lose-reply");
        export().expectProblem(503, "openshell_transport_unconfirmed");

        export().expect(200);
        assertThat(notes()).isEqualTo(1);
    }

    @Test
    void onlyTheOwnerOrItsAssignerMayExport() {
        world.postAs("stranger@" + world.rigName(), "/api/environments/" + world.binding() + "/export", request)
                .expectProblem(403, "artifact_caller_mismatch");
        assertThat(notes()).isZero();
    }

    @Test
    void theToolBringsItHomeForItsOwnSeatUntilItsGrantIsRevoked() {
        String name = world.id("worker-grant");
        String own = grant(name, world.seat());
        String foreign = grant(world.id("other-grant"), "other@" + world.rigName());
        long before = reads();

        Answer denied = tool(foreign).expect(200);
        assertThat(denied.at("result", "isError")).isEqualTo(true);
        assertThat(reads()).isEqualTo(before);

        Answer done = tool(own).expect(200);
        assertThat(done.at("result", "isError")).as(done.text()).isNotEqualTo(true);
        assertThat(done.text("result", "structuredContent", "actor")).isEqualTo(world.seat());
        assertThat(done.text("result", "structuredContent", "identityProvenance"))
                .isEqualTo("principal:v1");
        assertThat(Json.object(done.text("result", "structuredContent", "identityPrincipal")))
                .isEqualTo(Map.of("source", "file", "id", name));
        assertThat(notes()).isEqualTo(1);

        world.server()
                .api()
                .post("/api/grants/work/" + name + "/revoke", Map.of("reason", "lost"))
                .expect(200);
        assertThat(tool(own).status()).isEqualTo(401);
        assertThat(notes()).isEqualTo(1);
    }

    private String grant(String name, String seat) {
        return world.server()
                .api()
                .post("/api/grants/work", Map.of("name", name, "seat", seat))
                .expect(201)
                .text("token");
    }

    /** The export by the MCP tool, with a header that claims another principal. */
    private Answer tool(String token) {
        Map<String, Object> arguments = new LinkedHashMap<>(request);
        arguments.put("bindingId", world.binding());
        String call = Json.write(Map.of(
                "jsonrpc",
                "2.0",
                "id",
                7,
                "method",
                "tools/call",
                "params",
                Map.of("name", "rig_environment_export", "arguments", arguments)));
        return Api.send(new Api(world.server().mcpUrl(), token)
                .request("/mcp")
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("X-OpenRig-Principal", "{\"source\":\"file\",\"id\":\"forged\"}")
                .POST(HttpRequest.BodyPublishers.ofString(call))
                .build());
    }
}
