package org.berth.acceptance.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.environment.EnvironmentWorld.placement;
import static org.berth.acceptance.environment.EnvironmentWorld.projected;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.acceptance.Answer;
import org.berth.acceptance.BerthServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bindings and projections. Source: the reference's tests of the maintained environment binding and projection. */
class EnvironmentBindingIT {
    private EnvironmentWorld world;

    @BeforeEach
    void build() {
        world = new EnvironmentWorld(BerthServer.shared());
    }

    @AfterEach
    void putBack() {
        world.close();
    }

    @Test
    void aCreateIsJournalledBeforeItsEffectAndTheOwnedReceiptIsKept() {
        Answer created = world.create().expect(201);

        assertThat(created.number("version")).isEqualTo(1);
        assertThat(created.text("bindingId")).isEqualTo(world.binding());
        assertThat(created.text("ownership")).isEqualTo("owned");
        assertThat(created.text("nodeId")).isEqualTo(world.nodeId());
        assertThat(created.text("resource", "workspace")).isEqualTo(world.workspace());
        assertThat(created.text("resource", "operationId")).startsWith("env-");
        assertThat(world.openShell().calls("create")).isEqualTo(1);
        Answer stored = world.inspect().expect(200);
        assertThat(stored.text("ownership")).isEqualTo("owned");
        assertThat(stored.text("observation")).isEqualTo("stored-receipt");
        assertThat(stored.at("resource")).isEqualTo(created.at("resource"));
        assertThat(world.get("/api/environments/" + world.binding() + "?live=true")
                        .expect(200)
                        .text("observation"))
                .isEqualTo("live-resource");
    }

    @Test
    void aReplayAnswersTheSameBindingWithoutAnotherCreate() {
        world.create().expect(201);

        assertThat(world.create().expect(200).text("resource", "name")).isEqualTo("worker-one");
        assertThat(world.openShell().calls("create")).isEqualTo(1);
    }

    @Test
    void aLostReplyIsReconciledByTheEffectsMark() {
        world.openShell().fault("create", "lose-reply");

        assertThat(world.create().expect(202).text("code")).isEqualTo("environment_create_unconfirmed");
        assertThat(world.create().expect(200).text("resource", "id")).isNotBlank();
        assertThat(world.openShell().calls("create")).isEqualTo(1);
        assertThat(world.openShell().sandboxes()).isEqualTo(1);
    }

    @Test
    void aRequestedCreateStaysUnconfirmedWhileTheListingIsIncomplete() {
        world.openShell().fault("create", "lose-reply");
        world.create().expect(202);
        world.openShell().fault("list", "incomplete", "empty");

        assertThat(world.create().expect(202).text("code")).isEqualTo("environment_listing_incomplete");
        assertThat(world.openShell().calls("create")).isEqualTo(1);
    }

    @Test
    void aCompleteEmptyListingIsNoLeaveToCreateAgain() {
        world.openShell().fault("create", "fail");
        world.create().expect(202);

        assertThat(world.create().expect(202).text("code")).isEqualTo("environment_create_unconfirmed");
        assertThat(world.openShell().calls("create")).isEqualTo(1);
    }

    @Test
    void anUnavailableProviderIsNotAbsence() {
        world.openShell().fault("list", "fail");

        assertThat(world.create().expect(202).text("code")).isEqualTo("environment_unconfirmed");
        assertThat(world.openShell().calls("create")).isZero();
        world.create().expect(201);
    }

    @Test
    void twoMatchesAreRefusedAndNoneIsChosen() {
        world.openShell().fault("create", "lose-reply");
        world.create().expect(202);
        world.openShell().fault("list", "duplicate");

        world.create().expectProblem(409, "environment_duplicate_resources");
        assertThat(world.openShell().calls("create")).isEqualTo(1);
    }

    @Test
    void anotherServersResourceWithTheCallersOperationNameIsNotAdopted() {
        world.openShell().foreign(world.workspace(), "worker-one", world.id("create-one"));

        world.create().expectProblem(409, "environment_name_in_use");
        assertThat(world.openShell().calls("create")).isZero();
        assertThat(world.inspect().expect(200).at("resource")).isNull();
    }

    @Test
    void anOperationIdIsNotUsedForAnotherPlacement() {
        world.create().expect(201);
        Map<String, Object> changed = world.input(world.id("create-one"));
        placement(changed).put("name", "different");

        world.post("/api/environments/create", changed).expectProblem(409, "environment_operation_changed");
        assertThat(world.openShell().calls("create")).isEqualTo(1);
    }

    @Test
    void attachBindsExactlyTheLiveIdAndLeavesItsOwnership() {
        String id = world.openShell().foreign(world.workspace(), "worker-one", "external");
        Map<String, Object> input = world.input(world.id("attach-one"));
        input.put("resourceId", id);

        Answer attached = world.post("/api/environments/attach", input).expect(201);
        assertThat(attached.text("ownership")).isEqualTo("attached");
        assertThat(attached.text("resource", "id")).isEqualTo(id);
        assertThat(world.openShell().calls("create")).isZero();
        world.post("/api/environments/attach", input).expect(200);
    }

    @Test
    void attachRefusesAnotherIdUnderTheNameAndTakesTheCorrectedOne() {
        String id = world.openShell().foreign(world.workspace(), "worker-one", "external");
        Map<String, Object> wrong = world.input(world.id("bad-attach"));
        wrong.put("resourceId", "expected-id");
        world.post("/api/environments/attach", wrong).expectProblem(409, "environment_identity_changed");

        Map<String, Object> right = world.input(world.id("good-attach"));
        right.put("resourceId", id);
        world.post("/api/environments/attach", right).expect(201);
    }

    @Test
    void aCreateThatNeverAskedTheProviderMayBeReplaced() {
        world.openShell().foreign(world.workspace(), "worker-one", "external");
        world.create().expectProblem(409, "environment_name_in_use");

        Map<String, Object> corrected = world.input(world.id("corrected"));
        placement(corrected).put("name", "worker-two");
        world.post("/api/environments/create", corrected).expect(201);
        assertThat(world.openShell().calls("create")).isEqualTo(1);
    }

    @Test
    void aBoundSeatIsATypedConflict() {
        world.create().expect(201);
        Map<String, Object> other = world.input(world.id("other-create"));
        other.put("bindingId", world.id("other-binding"));

        world.post("/api/environments/create", other).expectProblem(409, "environment_seat_bound");
    }

    @Test
    void aProjectionIsVerifiedAtItsDestinationAndAChangeThereRefusesTheLaunch() throws Exception {
        world.create().expect(201);
        Path role = world.file("role.md", "current guidance");

        Answer projection = world.project(
                        world.id("projection-one"),
                        "generation-one",
                        List.of(projected(role, "work/CLAUDE.md", "current guidance")))
                .expect(200);
        assertThat(projection.text("generation")).isEqualTo("generation-one");
        assertThat(world.tree().resolve("work/CLAUDE.md")).hasContent("current guidance");
        world.on("validate", Map.of("generation", "generation-one")).expect(200);
        world.on("validate", Map.of("generation", "older")).expectProblem(409, "environment_generation_changed");

        Files.writeString(world.tree().resolve("work/CLAUDE.md"), "changed after projection");
        world.on("validate", Map.of("generation", "generation-one"))
                .expectProblem(409, "environment_projection_changed");
    }

    @Test
    void aChangedSourceRefusesTheLaunch() throws Exception {
        world.create().expect(201);
        Path role = world.file("role.md", "current guidance");
        world.project(
                        world.id("projection-one"),
                        "generation-one",
                        List.of(projected(role, "work/CLAUDE.md", "current guidance")))
                .expect(200);

        world.file("role.md", "another guidance");
        world.on("validate", Map.of("generation", "generation-one"))
                .expectProblem(409, "environment_projection_source_changed");
    }

    @Test
    void anUnmanagedDestinationIsKeptAndRefused() throws Exception {
        world.create().expect(201);
        Path role = world.file("role.md", "current guidance");
        Path destination = Files.writeString(world.tree().resolve("work/CLAUDE.md"), "owner content");
        world.server().give(destination);

        world.project(
                        world.id("projection-one"),
                        "generation-one",
                        List.of(projected(role, "work/CLAUDE.md", "current guidance")))
                .expectProblem(409, "environment_projection_conflict");
        assertThat(destination).hasContent("owner content");
    }

    @Test
    void aTraversalIsRefusedBeforeAnyWrite() {
        world.create().expect(201);
        Path role = world.file("role.md", "current guidance");

        world.project(
                        world.id("projection-one"),
                        "generation-one",
                        List.of(projected(role, "../outside", "current guidance")))
                .expectProblem(400, "invalid_environment_path");
        assertThat(world.openShell().calls("upload")).isZero();
    }

    @Test
    void aSourceOutsideTheAdmittedRootsIsRefused() {
        world.create().expect(201);

        world.project(
                        world.id("projection-one"),
                        "generation-one",
                        List.of(projected(Path.of("/etc/passwd"), "work/passwd", "")))
                .expectProblem(403, "environment_path_denied");
    }

    @Test
    void aProjectionNeedsTheEnvironmentReadyAndTheSameResource() {
        world.create().expect(201);
        world.openShell().fault("get", "phase=Error");
        world.project(world.id("p"), "generation-one", List.of()).expectProblem(409, "environment_not_ready");

        world.openShell().fault("get", "identity=another");
        world.project(world.id("p"), "generation-one", List.of()).expectProblem(409, "environment_identity_changed");
    }

    @Test
    void healthAnswersWithoutAnyEnvironmentAndAnUnknownBindingIsMissing() {
        world.get("/healthz").expect(200);
        world.get("/api/environments/missing").expectProblem(404, "environment_binding_missing");
    }

    @Test
    void aWriterMustNameItsSeat() {
        world.postAs(null, "/api/environments/create", world.input(world.id("create-one")))
                .expectProblem(400, "sender_identity_required");
    }

    @ParameterizedTest
    @CsvSource({
        "version, 2, invalid_environment_request",
        "baseRuntime, codex, invalid_environment_request",
        "bindingId, -bad, invalid_environment_request",
        "seat, nobody, invalid_environment_request",
        "guestRoot, /sandbox, invalid_environment_path",
        "guestBaseUrl, not a url, invalid_environment_request",
        "guestBaseUrl, http://user:pw@host.test:7782, invalid_environment_request",
        "guestBaseUrl, http://host.test:7782/path, invalid_environment_request",
        "operationId, a b, invalid_environment_request",
    })
    void everyFieldOfACreateHasItsRule(String field, String value, String code) {
        Map<String, Object> input = world.input(world.id("create-one"));
        input.put(field, field.equals("version") ? (Object) Long.valueOf(value) : value);

        world.post("/api/environments/create", input).expectProblem(400, code);
        world.inspect().expectProblem(404, "environment_binding_missing");
        assertThat(world.openShell().calls("create")).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "name, Worker",
        "name, -worker",
        "name, twenty-characters-it",
        "image, image:latest",
        "gateway, ''",
        "workspace, a b",
        "provider, ''",
    })
    void everyFieldOfAPlacementHasItsRule(String field, String value) {
        Map<String, Object> input = world.input(world.id("create-one"));
        placement(input).put(field, value);

        world.post("/api/environments/create", input).expectProblem(400, "invalid_environment_request");
        assertThat(world.openShell().calls("create")).isZero();
    }

    @Test
    void theListShowsBindingsByRigSeatDriverAndPhase() {
        world.create().expect(201);

        for (String filter :
                List.of("rig=" + world.rigName(), "seat=" + world.seat(), "driver=openshell&rig=" + world.rigName())) {
            List<Map<String, Object>> found = new ArrayList<>(org.berth.acceptance.Json.objects(
                    world.get("/api/environments?" + filter).expect(200).json(), "environments"));
            assertThat(found).as(filter).hasSize(1);
            assertThat(found.getFirst()).containsEntry("bindingId", world.binding());
        }
    }
}
