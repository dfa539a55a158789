package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.Api;
import org.berth.acceptance.Await;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.openshell.OpenShellEngine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Effects over HTTP on OpenShell's double. Source: the reference's owned and attached environment effects. */
class EnvironmentEffectIT {
    private static final String GENERATION = "generation-one";
    private static final Duration TURN = Duration.ofSeconds(60);

    private static BerthServer server;

    private EnvironmentWorld world;
    private OpenShellEngine engine;

    @BeforeAll
    static void start() {
        server = BerthServer.create("effects").withGuestListener().start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @BeforeEach
    void build() {
        world = new EnvironmentWorld(server);
        engine = new OpenShellEngine(world.openShell());
        server.give(engine.socket());
    }

    @AfterEach
    void putBack() {
        world.close();
        engine.close();
    }

    /** An environment that was prepared and not launched. @return the resource's id */
    private String prepared() {
        String id = world.create().expect(201).text("resource", "id");
        world.project(world.id("p"), GENERATION, List.of()).expect(200);
        return id;
    }

    private Answer delete(String operation) {
        return world.effect(world.id(operation), "delete-owned", GENERATION, engine.socket());
    }

    @Test
    void stopsOnlyTheSelectedNativeAndReconcilesALostAcknowledgementWithoutASecondSignal() {
        world.create().expect(201);
        String generation = (String) world.up().get("generation");
        world.openShell().fault("exec", "when=--stop-native", "lose-reply");

        Answer first = world.effect(world.id("stop"), "stop-native", generation).expect(200);

        assertThat(first.text("state")).isEqualTo("confirmed");
        assertThat(first.text("effect")).isEqualTo("stop-native");
        assertThat(first.text("requestedBy")).isEqualTo(world.coordinator());
        assertThat(world.effect(world.id("stop"), "stop-native", generation)
                        .expect(200)
                        .json())
                .isEqualTo(first.json());
        assertThat(world.openShell().helperCalls("--stop-native")).isEqualTo(1);
        assertThat(world.get("/api/environments/" + world.binding() + "?live=true")
                        .expect(200)
                        .text("resource", "phase"))
                .isEqualTo("Ready");
        assertThat(world.openShell().calls("delete")).isZero();
    }

    @Test
    void closingTheViewerEndsItsWindowsAndNeverReachesTheGuest() {
        world.create().expect(201);
        Map<String, Object> up = world.up();
        String generation = (String) up.get("generation");
        String second = world.on("connect", Map.of("generation", generation))
                .expect(200)
                .text("attempt_id");
        Await.until("both windows run the provider", () -> world.openShell().calls("connect") == 2);
        long calls = world.openShell().calls();

        assertThat(world.effect(world.id("close"), "close-viewer", generation)
                        .expect(200)
                        .text("state"))
                .isEqualTo("confirmed");

        for (String window : List.of((String) up.get("viewer"), second)) {
            assertThat(world.get("/api/placement/attempts/" + window)
                            .expect(200)
                            .text("attempt", "execution_state"))
                    .isEqualTo("exited");
        }
        assertThat(world.openShell().calls()).isEqualTo(calls);
        assertThat(world.effect(world.id("stop"), "stop-native", generation)
                        .expect(200)
                        .text("state"))
                .as("the native went on until it was stopped")
                .isEqualTo("confirmed");
        assertThat(world.openShell().helperCalls("--stop-native")).isEqualTo(1);
    }

    @Test
    void aStoppedSeatIsLabelledAsPaneOnly() {
        world.create().expect(201);
        Map<String, Object> up = world.up();

        Answer stopped =
                world.post("/api/seats/" + world.seat() + "/stop", Map.of()).expect(200);

        assertThat(stopped.at("ok")).isEqualTo(true);
        assertThat(stopped.at("paneOnly")).isEqualTo(true);
        assertThat(world.get("/api/placement/attempts/" + up.get("viewer"))
                        .expect(200)
                        .text("attempt", "execution_state"))
                .isEqualTo("exited");
        assertThat(world.openShell().helperCalls("--stop-native")).isZero();
        assertThat(world.openShell().calls("stop")).isZero();
        world.post("/api/seats/nobody@" + world.rigName() + "/stop", Map.of()).expectProblem(404, "seat_missing");
    }

    @Test
    void observesStoppedComputeIndependentlyOfNativeAndViewer() {
        String id = prepared();

        Answer stopped =
                world.effect(world.id("stop"), "stop-compute", GENERATION).expect(200);

        assertThat(stopped.text("state")).isEqualTo("confirmed");
        assertThat(stopped.text("effect")).isEqualTo("stop-compute");
        assertThat(stopped.text("resourceId")).isEqualTo(id);
        assertThat(world.openShell().calls("stop")).isEqualTo(1);
        assertThat(world.openShell().calls("delete")).isZero();
        assertThat(world.inspect().expect(200).text("resource", "phase")).isEqualTo("Stopped");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stop-native", "stop-compute", "delete-owned"})
    void preservesAttachedResources(String effect) {
        Map<String, Object> input = world.input(world.id("attach"));
        input.put("resourceId", world.openShell().foreign(world.workspace(), "worker-one", "external"));
        world.post("/api/environments/attach", input).expect(201);
        long calls = world.openShell().calls();

        world.effect(world.id("effect"), effect, null).expectProblem(409, "environment_attached_preserved");

        assertThat(world.openShell().calls()).isEqualTo(calls);
        assertThat(world.openShell().sandboxes()).isEqualTo(1);
        assertThat(world.effect(world.id("close"), "close-viewer", null)
                        .expect(200)
                        .text("state"))
                .isEqualTo("confirmed");
        assertThat(world.openShell().calls()).isEqualTo(calls);
    }

    @Test
    void providerAbsenceIsNotCompleteUntilWorkloadSupervisorAndVolumesAreAllAbsent() {
        String id = prepared();
        engine.keepVolumes(id);

        Answer left = delete("delete").expect(200);
        assertThat(left.text("state")).isEqualTo("unconfirmed");
        assertThat(left.at("remaining")).isEqualTo(Map.of("workload", false, "supervisor", false, "volumes", true));
        assertThat(delete("delete").expect(200).text("state")).isEqualTo("unconfirmed");
        assertThat(world.openShell().calls("delete")).isEqualTo(1);
        unbind().expectProblem(409, "environment_binding_exists");

        engine.removeVolumes(id);
        Answer gone = delete("delete").expect(200);
        assertThat(gone.text("state")).isEqualTo("confirmed");
        assertThat(delete("delete").expect(200).json()).isEqualTo(gone.json());
        assertThat(world.openShell().calls("delete")).isEqualTo(1);
        assertThat(engine.asked())
                .allMatch(each -> each.startsWith("GET containers/") || each.startsWith("GET volumes/"));
        unbind().expect(200);
        world.post("/api/environments/create", world.input(world.id("create-two")))
                .expect(201);
    }

    @Test
    void anEngineThatFailsProvesNothing() {
        prepared();
        engine.failing(true);
        delete("delete").expectProblem(409, "environment_cleanup_unconfirmed");
        assertThat(world.openShell().calls("delete"))
                .as("nothing is deleted before its parts are known")
                .isZero();

        engine.failing(false);
        assertThat(delete("delete").expect(200).text("state")).isEqualTo("confirmed");
    }

    @Test
    void keepsTheOriginalOperationWhenALookupFailsAndNeverInfersAbsence() {
        prepared();
        world.openShell().fault("list", "always:fail");
        assertThat(delete("delete").expect(200).text("state")).isEqualTo("unconfirmed");
        world.openShell().fault("list", "always:incomplete", "always:empty");
        assertThat(delete("delete").expect(200).text("state")).isEqualTo("unconfirmed");
        assertThat(world.openShell().calls("delete")).isZero();

        world.openShell().noFault("list");
        assertThat(delete("delete").expect(200).text("state")).isEqualTo("confirmed");
        assertThat(world.openShell().calls("delete")).isEqualTo(1);
    }

    @Test
    void refusesTheWrongGenerationBeforeTheProviderIsAsked() {
        prepared();
        long calls = world.openShell().calls();

        world.effect(world.id("stale"), "stop-compute", "older").expectProblem(409, "environment_generation_changed");
        world.effect(world.id("none"), "stop-compute", null).expectProblem(400, "invalid_environment_request");
        world.effect(world.id("bad"), "explode", GENERATION).expectProblem(400, "environment_effect_unsupported");
        world.effect(world.id("delete"), "delete-owned", GENERATION);

        assertThat(world.openShell().calls("stop")).isZero();
        assertThat(world.openShell().calls("delete")).isZero();
        assertThat(world.openShell().calls())
                .as("only the deletion without an engine looked")
                .isGreaterThan(calls);
    }

    @Test
    void aDeletionBehindAGatewayNeedsTheEnginesSocketOfTheServersUser() throws Exception {
        prepared();
        world.effect(world.id("delete"), "delete-owned", GENERATION).expectProblem(400, "environment_engine_required");
        Path link = Files.createSymbolicLink(world.root().resolve("link.sock"), engine.socket());
        world.effect(world.id("d2"), "delete-owned", GENERATION, link).expectProblem(409, "environment_engine_changed");
        assertThat(world.openShell().calls("delete")).isZero();
    }

    @Test
    void aDeletionThatWasRefusedAndALossByTheProviderItselfAreTwoThings() {
        prepared();
        world.openShell().fault("delete", "fail");
        assertThat(delete("delete").expect(200).text("state")).isEqualTo("pending");
        assertThat(delete("delete").expect(200).text("state")).isEqualTo("pending");
        assertThat(world.openShell().calls("delete")).isEqualTo(1);
        assertThat(world.operation(world.id("delete")))
                .containsEntry("state", "requested")
                .containsEntry("receipt", null);

        world.openShell().lose(world.workspace(), "worker-one");
        assertThat(delete("delete").expect(200).text("state")).isEqualTo("confirmed");
        assertThat(world.openShell().calls("delete")).isEqualTo(1);
    }

    @Test
    void aLostReplyToADeletionIsObserved() {
        prepared();
        world.openShell().fault("delete", "lose-reply");
        assertThat(delete("delete").expect(200).text("state")).isEqualTo("confirmed");
        assertThat(world.openShell().calls("delete")).isEqualTo(1);
    }

    @Test
    void aReusedNameIsNotDeleted() {
        prepared();
        world.openShell().lose(world.workspace(), "worker-one");
        world.openShell().foreign(world.workspace(), "worker-one", "external");
        delete("delete").expectProblem(409, "environment_identity_changed");
        assertThat(world.openShell().calls("delete")).isZero();
    }

    @Test
    void oneOperationIdIsOneRequest() {
        prepared();
        world.effect(world.id("same"), "close-viewer", GENERATION).expect(200);
        world.effect(world.id("same"), "stop-compute", GENERATION).expectProblem(409, "environment_operation_changed");
        assertThat(world.openShell().calls("stop")).isZero();
    }

    @Test
    void anEnvironmentOfTheEmbeddedDriverIsDeletedWithItsProof() {
        String key = world.post("/api/environments/create", world.local(world.id("create-one")))
                .expect(201)
                .text("resource", "id")
                .replace("-", "");
        Map<String, Object> up = world.up();
        assertThat(up).as("%s", up).containsEntry("status", "up");
        String generation = (String) up.get("generation");
        assertThat(world.operation("inventory-" + dashed(key))).containsEntry("state", "confirmed");

        Answer stopped =
                world.effect(world.id("stop"), "stop-native", generation).expect(200);
        assertThat(stopped.text("state")).isEqualTo("confirmed");
        assertThat(stopped.at("stillRunning")).isEqualTo(List.of());
        Answer gone =
                world.effect(world.id("delete"), "delete-owned", generation).expect(200);

        assertThat(gone.text("state")).isEqualTo("confirmed");
        assertThat(gone.at("remaining")).isEqualTo(Map.of("workload", false, "supervisor", false, "volumes", false));
        assertThat(server.home().resolve("environments").resolve(key)).doesNotExist();
        Await.until(
                "the window ended with its environment",
                TURN,
                () -> "exited"
                        .equals(world.get("/api/placement/attempts/" + up.get("viewer"))
                                .expect(200)
                                .text("attempt", "execution_state")));
        unbind().expect(200);
    }

    private static String dashed(String key) {
        return key.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5");
    }

    private Answer unbind() {
        return Api.send(server.api()
                .request("/api/environments/" + world.binding())
                .header("X-OpenRig-Session", world.coordinator())
                .DELETE()
                .build());
    }
}
