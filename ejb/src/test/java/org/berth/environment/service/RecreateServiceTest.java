package org.berth.environment.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.environment.BindingRecord;
import org.berth.environment.DependentObservation;
import org.berth.environment.EffectRequest;
import org.berth.environment.EnvironmentCheckpoint;
import org.berth.environment.EnvironmentEffect;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.RecreateRequest;
import org.berth.environment.Recreation;
import org.berth.persistence.TestDatabase;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reference's "exact contained checkpoint and restore", recreation, on the services, and what lies between its steps. */
class RecreateServiceTest {
    private static final String NATIVE = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
    private static final String GENERATION = "generation-one";
    private static final String SOCKET = "/run/user/1000/podman/podman.sock";

    @TempDir
    Path directory;

    private EnvironmentFixture f;

    @BeforeEach
    void oneCheckpoint() {
        f = new EnvironmentFixture(TestDatabase.H2, directory);
        assertThat(f.create().status()).isEqualTo(201);
        assertThat(f.project(GENERATION, List.of(f.file("role.md", "guidance", "work/CLAUDE.md")))
                        .status())
                .isEqualTo(200);
        f.checkpoints.kept.put("checkpoint-one", checkpoint(NATIVE));
    }

    private EnvironmentCheckpoint checkpoint(String nativeId) {
        return new EnvironmentCheckpoint(
                "checkpoint-one",
                "binding-one",
                OneNode.WORKER.nodeId(),
                OneNode.WORKER.seat(),
                GENERATION,
                EnvironmentRules.NATIVE_TYPE,
                nativeId,
                "immutable-resource-1",
                "/sandbox/openrig/work",
                "/sandbox/openrig/native",
                List.of(),
                List.of(),
                List.of());
    }

    private void delete() {
        assertThat(f.effects.effect(
                        "binding-one",
                        new EffectRequest("delete-one", GENERATION, EnvironmentEffect.DELETE_OWNED, SOCKET),
                        EnvironmentFixture.COORDINATOR,
                        () -> true))
                .containsEntry("state", "confirmed");
    }

    private Map<String, Object> body() {
        Map<String, Object> placement = new LinkedHashMap<>();
        placement.put("gateway", "gateway");
        placement.put("workspace", "workspace");
        placement.put("name", "worker-two");
        placement.put("image", "image@sha256:" + "a".repeat(64));
        placement.put("provider", "new-provider");
        placement.put("policy", f.root.resolve("policy.yaml").toString());
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("operationId", "recreate-one");
        body.put("generation", GENERATION);
        body.put("checkpointId", "checkpoint-one");
        body.put("resumeType", EnvironmentRules.NATIVE_TYPE);
        body.put("resumeToken", NATIVE);
        body.put("placement", placement);
        return body;
    }

    private Map<String, Object> recreate() {
        return recreate(Map.of());
    }

    private Map<String, Object> recreate(Map<String, Object> changes) {
        Map<String, Object> body = body();
        body.putAll(changes);
        return f.recreates.recreate("binding-one", RecreateRequest.of(body, EnvironmentFixture.COORDINATOR.session()));
    }

    private void refused(ProblemCode code, Map<String, Object> changes) {
        assertThatThrownBy(() -> recreate(changes))
                .isInstanceOfSatisfying(
                        BerthException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private OperationState state() {
        return f.operations().stream()
                .filter(each -> each.kind() == OperationKind.RECREATE)
                .map(EnvironmentOperation::state)
                .findFirst()
                .orElse(null);
    }

    private BindingRecord bound() {
        return f.reader.stored("binding-one");
    }

    @Test
    void a_missing_checkpoint_is_refused_before_any_successor_is_made() {
        delete();
        refused(ProblemCode.ENVIRONMENT_CHECKPOINT_MISSING, Map.of("checkpointId", "missing"));
        assertThat(f.driver.creates).hasValue(1);
    }

    @Test
    void the_successor_is_made_only_after_the_predecessor_is_proven_gone_and_carries_the_exact_native_id() {
        refused(ProblemCode.ENVIRONMENT_PREDECESSOR_PRESENT, Map.of());
        delete();
        assertThat(bound().holdsName()).isFalse();
        Map<String, Object> receipt = recreate();
        assertThat(receipt)
                .containsEntry("state", "confirmed")
                .containsEntry("predecessorResourceId", "immutable-resource-1")
                .containsEntry("successorResourceId", "immutable-resource-2")
                .containsEntry("predecessorGeneration", GENERATION)
                .containsEntry("successorGeneration", null)
                .containsEntry("nativeId", NATIVE)
                .containsEntry("checkpointId", "checkpoint-one");
        assertThat(bound().binding().resource().id()).isEqualTo("immutable-resource-2");
        assertThat(bound().binding().generation()).isNull();
        assertThat(bound().projection()).isNull();
        assertThat(bound().holdsName()).isTrue();
        assertThat(bound().binding().placement().name()).isEqualTo("worker-two");
        assertThat(bound().binding().placement().provider()).isEqualTo("new-provider");
        assertThat(f.operations())
                .anySatisfy(each -> assertThat(each.operationId()).isEqualTo("inventory-immutable-resource-2"));
        assertThat(recreate()).isEqualTo(receipt);
        assertThat(f.driver.creates).hasValue(2);
    }

    @Test
    void changed_private_history_is_refused_before_any_successor_is_made() {
        delete();
        f.checkpoints.refusal = new BerthException(ProblemCode.ENVIRONMENT_CHECKPOINT_CHANGED, "It changed.");
        refused(ProblemCode.ENVIRONMENT_CHECKPOINT_CHANGED, Map.of("placement", Map.of()));
        assertThat(f.driver.creates).hasValue(1);
        assertThat(state()).isNull();
    }

    @Test
    void another_native_type_is_refused_and_no_conversation_is_begun() {
        delete();
        refused(ProblemCode.ENVIRONMENT_CHECKPOINT_MISSING, Map.of("resumeType", "codex_id"));
        refused(ProblemCode.ENVIRONMENT_CHECKPOINT_MISSING, Map.of("resumeToken", "foreign"));
        assertThat(f.driver.creates).hasValue(1);
    }

    @ParameterizedTest
    @CsvSource({
        "generation,generation-two,ENVIRONMENT_GENERATION_CHANGED",
        "generation,,INVALID_ENVIRONMENT_REQUEST",
        "operationId,not an id,INVALID_ENVIRONMENT_REQUEST",
        "placement,nothing,ENVIRONMENT_RECREATE_CHANGED",
    })
    void a_selection_that_does_not_fit_is_refused_before_it_is_journalled(
            String field, String value, ProblemCode code) {
        delete();
        Map<String, Object> changes = new LinkedHashMap<>();
        changes.put(field, value);
        refused(code, changes);
        assertThat(state()).isNull();
        assertThat(f.driver.creates).hasValue(1);
    }

    @Test
    void an_attached_environment_is_preserved() {
        f = new EnvironmentFixture(TestDatabase.H2, directory);
        f.driver.resources.add(
                new EnvironmentResource("immutable-resource-1", "worker-one", "workspace", "Ready", null, "other"));
        f.attach(f.input(Map.of("resourceId", "immutable-resource-1")));
        f.checkpoints.kept.put("checkpoint-one", checkpoint(NATIVE));
        refused(ProblemCode.ENVIRONMENT_ATTACHED_PRESERVED, Map.of());
        assertThat(f.driver.creates).hasValue(0);
    }

    @Test
    void a_listing_that_is_not_complete_and_a_part_that_is_left_are_no_proof() {
        delete();
        f.driver.completeListing = false;
        refused(ProblemCode.ENVIRONMENT_LISTING_INCOMPLETE, Map.of());
        f.driver.completeListing = true;
        f.driver.left = new DependentObservation(false, false, true);
        refused(ProblemCode.ENVIRONMENT_CLEANUP_UNCONFIRMED, Map.of());
        f.driver.left = null;
        refused(ProblemCode.ENVIRONMENT_CLEANUP_UNCONFIRMED, Map.of());
        assertThat(f.driver.creates).hasValue(1);
        assertThat(state()).isEqualTo(OperationState.INTENT);
    }

    @Test
    void a_lost_reply_is_found_again_by_its_effect_and_never_repeated() {
        delete();
        f.driver.loseCreate = true;
        assertThat(recreate())
                .containsEntry("state", "unconfirmed")
                .containsEntry("operationId", "recreate-one")
                .containsEntry("checkpointId", "checkpoint-one");
        assertThat(state()).isEqualTo(OperationState.REQUESTED);
        f.restart();
        assertThat(recreate())
                .containsEntry("state", "confirmed")
                .containsEntry("successorResourceId", "immutable-resource-2");
        assertThat(f.driver.creates).hasValue(2);
    }

    @Test
    void a_successor_that_was_only_begun_is_gone_on_with_before_it_is_confirmed() {
        delete();
        f.driver.beginsOnly = true;
        assertThat(recreate()).containsEntry("state", "unconfirmed");
        assertThat(recreate()).containsEntry("state", "unconfirmed");
        assertThat(bound().binding().resource().id()).isEqualTo("immutable-resource-1");
        f.restart();
        f.driver.beginsOnly = false;
        assertThat(recreate())
                .containsEntry("state", "confirmed")
                .containsEntry("successorResourceId", "immutable-resource-2");
        assertThat(f.driver.resources)
                .singleElement()
                .satisfies(made -> assertThat(made.phase()).isEqualTo("Ready"));
    }

    @Test
    void a_begun_successor_that_is_refused_later_is_gone_on_with_once_it_may() {
        delete();
        f.driver.beginsOnly = true;
        recreate();
        f.driver.refuseCreate = new BerthException(ProblemCode.ENVIRONMENT_POLICY_CHANGED, "Another policy.");
        refused(ProblemCode.ENVIRONMENT_POLICY_CHANGED, Map.of());
        assertThat(state()).isEqualTo(OperationState.INTENT);
        f.driver.refuseCreate = null;
        f.driver.beginsOnly = false;
        assertThat(recreate()).containsEntry("state", "confirmed");
        assertThat(bound().holdsName()).isTrue();
        assertThat(f.driver.resources).hasSize(1);
    }

    @Test
    void absence_after_the_request_is_no_permission_to_ask_again() {
        delete();
        f.driver.loseCreate = true;
        recreate();
        f.driver.resources.clear();
        assertThat(recreate()).containsEntry("state", "unconfirmed");
        assertThat(f.driver.creates).hasValue(2);
    }

    @Test
    void duplicates_are_refused_whether_of_this_recreation_or_of_another() {
        delete();
        f.driver.loseCreate = true;
        recreate();
        EnvironmentResource made = f.driver.resources.getFirst();
        refused(ProblemCode.ENVIRONMENT_DUPLICATE_RESOURCES, Map.of("operationId", "recreate-two"));
        f.driver.resources.add(new EnvironmentResource(
                "conflicting", made.name(), made.workspace(), "Ready", null, made.operationId()));
        refused(ProblemCode.ENVIRONMENT_DUPLICATE_RESOURCES, Map.of());
        assertThat(f.driver.creates).hasValue(2);
    }

    @Test
    void a_definite_refusal_of_the_driver_releases_the_claim_and_the_name() {
        delete();
        f.driver.refuseCreate = new BerthException(ProblemCode.ENVIRONMENT_DRIVER_UNAVAILABLE, "No namespaces.");
        refused(ProblemCode.ENVIRONMENT_DRIVER_UNAVAILABLE, Map.of());
        assertThat(state()).isEqualTo(OperationState.INTENT);
        assertThat(bound().holdsName()).isFalse();
        f.driver.refuseCreate = null;
        assertThat(recreate()).containsEntry("state", "confirmed");
    }

    @Test
    void the_name_of_somebody_else_is_refused_and_nothing_is_asked_for() {
        delete();
        f.driver.resources.add(
                new EnvironmentResource("foreign", "worker-two", "workspace", "Ready", null, "env-foreign"));
        refused(ProblemCode.ENVIRONMENT_NAME_IN_USE, Map.of());
        assertThat(f.driver.creates).hasValue(1);
    }

    @Test
    void an_answer_that_is_not_what_was_asked_for_is_no_successor() {
        delete();
        f.driver.createAnswer =
                new EnvironmentResource("immutable-resource-1", "worker-two", "workspace", "Ready", null, "env-x");
        refused(ProblemCode.ENVIRONMENT_IDENTITY_CHANGED, Map.of());
        assertThat(bound().binding().resource().id()).isEqualTo("immutable-resource-1");
    }

    @Test
    void a_successor_on_another_engine_is_refused_and_not_bound() {
        delete();
        f.driver.engineInode = 3;
        refused(ProblemCode.ENVIRONMENT_RESTORE_HOST_CHANGED, Map.of());
        assertThat(bound().binding().resource().id()).isEqualTo("immutable-resource-1");
        f.driver.engineInode = 2;
        assertThat(recreate()).containsEntry("state", "confirmed");
        assertThat(f.driver.creates).hasValue(2);
    }

    @Test
    void an_operation_id_is_not_used_again_with_another_placement() {
        delete();
        recreate();
        Map<String, Object> other = new LinkedHashMap<>(cast(body().get("placement")));
        other.put("name", "worker-three");
        refused(ProblemCode.ENVIRONMENT_OPERATION_CHANGED, Map.of("placement", other));
    }

    @Test
    void a_second_recreation_of_the_same_predecessor_is_refused_once_the_binding_moved() {
        delete();
        recreate();
        refused(ProblemCode.ENVIRONMENT_SELECTION_CHANGED, Map.of("operationId", "recreate-two"));
        assertThat(f.driver.creates).hasValue(2);
    }

    @Test
    void the_successors_launch_is_claimed_by_one_generation() {
        delete();
        recreate();
        Recreation claimed = f.recreations.claim(bound(), "generation-two");
        assertThat(claimed.successorGeneration()).isEqualTo("generation-two");
        assertThat(f.recreations.claim(bound(), "generation-two")).isEqualTo(claimed);
        assertThatThrownBy(() -> f.recreations.claim(bound(), "generation-three"))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        e -> assertThat(e.code()).isEqualTo(ProblemCode.ENVIRONMENT_SELECTION_CHANGED));
        assertThat(f.recreations.present(bound())).contains(claimed);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cast(Object map) {
        return (Map<String, Object>) map;
    }
}
