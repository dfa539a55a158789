package org.berth.environment.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.environment.BindingRules;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.OperationState;
import org.berth.environment.service.EnvironmentFixture.Answer;
import org.berth.persistence.TestDatabase;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reference's "maintained environment binding and projection", on the services. */
class BindingAndProjectionTest {
    @TempDir
    Path directory;

    private EnvironmentFixture f;

    @BeforeEach
    void fixture() {
        f = new EnvironmentFixture(TestDatabase.H2, directory);
    }

    @Test
    void the_intent_is_journalled_before_the_effect_and_the_immutable_receipt_after_it() {
        List<EnvironmentOperation> before = new ArrayList<>();
        f.driver.beforeCreate = effectId -> before.addAll(f.operations());
        Answer answer = f.create();
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.body())
                .containsEntry("version", 1L)
                .containsEntry("bindingId", "binding-one")
                .containsEntry("ownership", "owned")
                .containsEntry("nodeId", OneNode.WORKER.nodeId())
                .containsEntry("generation", null);
        assertThat(answer.resource())
                .isEqualTo(Map.of(
                        "id", "immutable-resource-1",
                        "name", "worker-one",
                        "workspace", "workspace",
                        "phase", "Ready",
                        "fingerprint", "host-key-1",
                        "operationId", f.driver.resources.getFirst().operationId()));
        assertThat(before).singleElement().satisfies(operation -> {
            assertThat(operation.state()).isEqualTo(OperationState.REQUESTED);
            assertThat(operation.effectId())
                    .isEqualTo(f.driver.resources.getFirst().operationId());
            assertThat(operation.requestedBy()).isEqualTo("coordinator@environment-fixture");
        });
        assertThat(f.driver.creates).hasValue(1);
        assertThat(f.inspect("binding-one").body()).isEqualTo(answer.body());
        assertThat(f.operations()).singleElement().satisfies(operation -> {
            assertThat(operation.state()).isEqualTo(OperationState.CONFIRMED);
            assertThat(operation.receipt()).contains("immutable-resource-1");
        });
    }

    @Test
    void a_lost_create_response_is_reconciled_after_a_restart_without_another_create() {
        f.driver.loseCreate = true;
        assertThat(f.create())
                .extracting(Answer::status, Answer::code)
                .containsExactly(202, "environment_create_unconfirmed");
        f.restart();
        Answer answer = f.create();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.resource().get("id")).isEqualTo("immutable-resource-1");
        assertThat(f.driver.creates).hasValue(1);
    }

    @Test
    void an_unresolved_intent_stays_while_the_provider_cannot_establish_absence() {
        f.driver.loseCreate = true;
        f.create();
        f.driver.completeListing = false;
        assertThat(f.create())
                .extracting(Answer::status, Answer::code)
                .containsExactly(202, "environment_listing_incomplete");
        f.driver.refuseListing = new BerthException(ProblemCode.OPENSHELL_TRANSPORT_UNCONFIRMED, "No answer.");
        assertThat(f.create()).extracting(Answer::status, Answer::code).containsExactly(202, "environment_unconfirmed");
        assertThat(f.driver.creates).hasValue(1);
    }

    @Test
    void a_complete_empty_listing_after_the_request_is_no_permission_to_create_again() {
        f.driver.loseCreate = true;
        f.create();
        f.driver.resources.clear();
        assertThat(f.create())
                .extracting(Answer::status, Answer::code)
                .containsExactly(202, "environment_create_unconfirmed");
        assertThat(f.driver.creates).hasValue(1);
    }

    @Test
    void duplicate_matches_are_refused_instead_of_choosing_one_or_creating_again() {
        f.driver.loseCreate = true;
        f.create();
        EnvironmentResource first = f.driver.resources.getFirst();
        f.driver.resources.add(new EnvironmentResource(
                "conflicting-resource", first.name(), first.workspace(), "Ready", null, first.operationId()));
        assertThat(f.create())
                .extracting(Answer::status, Answer::code)
                .containsExactly(409, "environment_duplicate_resources");
        assertThat(f.driver.creates).hasValue(1);
    }

    @Test
    void the_resource_of_another_server_with_the_same_operation_name_is_not_adopted() {
        f.driver.resources.add(
                new EnvironmentResource("foreign-resource", "worker-one", "workspace", "Ready", null, "create-one"));
        assertThat(f.create()).extracting(Answer::status, Answer::code).containsExactly(409, "environment_name_in_use");
        assertThat(f.driver.creates).hasValue(0);
        assertThat(f.inspect("binding-one").body()).containsEntry("resource", null);
    }

    @Test
    void an_operation_id_is_not_used_again_with_another_placement() {
        assertThat(f.create().status()).isEqualTo(201);
        assertThat(f.create(f.named("different", Map.of())))
                .extracting(Answer::status, Answer::code)
                .containsExactly(409, "environment_operation_changed");
        assertThat(f.driver.creates).hasValue(1);
    }

    @Test
    void an_answer_that_is_not_what_was_asked_for_is_no_receipt() {
        f.driver.createAnswer =
                new EnvironmentResource("immutable-resource-1", "other-name", "workspace", "Ready", null, "env-x");
        assertThat(f.create())
                .extracting(Answer::status, Answer::code)
                .containsExactly(202, "environment_create_unconfirmed");
        assertThat(f.inspect("binding-one").body()).containsEntry("resource", null);
        f.driver.createAnswer = null;
        assertThat(f.create().status()).isEqualTo(200);
        assertThat(f.driver.creates).hasValue(1);
    }

    @Test
    void a_refusal_before_anything_was_made_frees_the_intent() {
        f.driver.refuseCreate = new BerthException(ProblemCode.ENVIRONMENT_DRIVER_UNAVAILABLE, "No namespaces.");
        assertThat(f.create())
                .extracting(Answer::status, Answer::code)
                .containsExactly(422, "environment_driver_unavailable");
        f.driver.refuseCreate = null;
        assertThat(f.create().status()).isEqualTo(201);
    }

    @Test
    void only_the_exact_live_id_is_attached_and_its_ownership_stays_outside() {
        external("external-id");
        Answer answer = f.attach(
                f.input(Map.of("operationId", "attach-one", "resourceId", "external-id", "fingerprint", "host-key-1")));
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.body()).containsEntry("ownership", "attached");
        assertThat(answer.resource().get("id")).isEqualTo("external-id");
        assertThat(f.driver.creates).hasValue(0);
        assertThat(f.attach(f.input(Map.of(
                                "operationId", "attach-one", "resourceId", "external-id", "fingerprint", "host-key-1")))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_reused_name_with_another_immutable_id_is_refused() {
        external("reused-id");
        assertThat(f.attach(f.input(
                        Map.of("operationId", "attach-one", "resourceId", "expected-id", "fingerprint", "host-key-1"))))
                .extracting(Answer::status, Answer::code)
                .containsExactly(409, "environment_identity_changed");
        assertThat(f.driver.creates).hasValue(0);
        assertThat(f.inspect("binding-one").status()).isEqualTo(404);
    }

    @Test
    void a_corrected_attach_is_allowed_after_a_refused_identity() {
        external("correct-id");
        assertThat(f.attach(f.input(Map.of("operationId", "bad-attach", "resourceId", "wrong-id")))
                        .status())
                .isEqualTo(409);
        Answer answer = f.attach(f.input(Map.of("operationId", "correct-attach", "resourceId", "correct-id")));
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.resource().get("id")).isEqualTo("correct-id");
    }

    @Test
    void a_corrected_create_is_allowed_when_the_provider_was_never_asked() {
        external("foreign");
        assertThat(f.create().status()).isEqualTo(409);
        assertThat(f.create(f.named("worker-two", Map.of("operationId", "correct-create")))
                        .status())
                .isEqualTo(201);
        assertThat(f.driver.creates).hasValue(1);
        assertThat(f.operations())
                .singleElement()
                .satisfies(operation -> assertThat(operation.operationId()).isEqualTo("correct-create"));
    }

    @Test
    void a_binding_whose_provider_was_asked_is_not_replaced() {
        f.driver.loseCreate = true;
        f.create();
        assertThat(f.create(f.named("worker-two", Map.of("operationId", "other-create"))))
                .extracting(Answer::status, Answer::code)
                .containsExactly(409, "environment_binding_exists");
    }

    @Test
    void a_bound_seat_is_a_typed_conflict_and_comes_before_the_name() {
        assertThat(f.create().status()).isEqualTo(201);
        assertThat(f.create(f.input(Map.of("bindingId", "other-binding", "operationId", "other-create"))))
                .extracting(Answer::status, Answer::code)
                .containsExactly(409, "environment_seat_bound");
        Map<String, Object> elsewhere = f.input(Map.of(
                "bindingId", "other-binding", "operationId", "other-create", "seat", "other@environment-fixture"));
        elsewhere.remove("nodeId");
        assertThat(f.create(elsewhere))
                .extracting(Answer::status, Answer::code)
                .containsExactly(409, "environment_name_in_use");
    }

    @Test
    void a_name_is_held_until_its_binding_is_given_up() {
        external("external-id");
        f.attach(f.input(Map.of("operationId", "attach-one", "resourceId", "external-id")));
        assertThat(f.unbind("binding-one").status()).isEqualTo(204);
        assertThat(f.grants.revoked).containsExactly("environment-binding-one");
        assertThat(f.inspect("binding-one").code()).isEqualTo("environment_binding_missing");
        f.driver.resources.clear();
        assertThat(f.create().status()).isEqualTo(201);
        assertThat(f.unbind("binding-one"))
                .extracting(Answer::status, Answer::code)
                .containsExactly(409, "environment_binding_exists");
        assertThat(f.attach(f.input(Map.of("operationId", "attach-one", "resourceId", "immutable-resource-1"))))
                .extracting(Answer::status, Answer::code)
                .containsExactly(409, "environment_operation_changed");
    }

    @Test
    void a_missing_node_and_an_unreadable_policy_are_refused_before_anything_is_journalled() {
        assertThat(f.create(f.input(Map.of("nodeId", "node-9"))))
                .extracting(Answer::status, Answer::code)
                .containsExactly(404, "environment_node_missing");
        Map<String, Object> input = f.input();
        EnvironmentFixture.write(f.root.resolve("link-target"), "version: 1\n");
        link("policy.yaml.link", "link-target");
        @SuppressWarnings("unchecked")
        Map<String, Object> placement = (Map<String, Object>) input.get("placement");
        placement.put("policy", f.root.resolve("policy.yaml.link").toString());
        assertThat(f.create(input))
                .extracting(Answer::status, Answer::code)
                .containsExactly(409, "environment_symlink");
        assertThat(f.inspect("binding-one").status()).isEqualTo(404);
    }

    @Test
    void destination_bytes_are_verified_and_a_changed_required_projection_is_refused() {
        f.create();
        Answer answer = f.project("generation-one", List.of(f.file("role.md", "current guidance", "work/CLAUDE.md")));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(f.validate("generation-one").status()).isEqualTo(200);
        assertThat(f.validate("generation-two").code()).isEqualTo("environment_generation_changed");
        f.guest("work/CLAUDE.md", "changed after projection");
        assertThat(f.validate("generation-one"))
                .extracting(Answer::status, Answer::code)
                .containsExactly(409, "environment_projection_changed");
    }

    @Test
    void a_changed_source_is_refused_before_launch() {
        f.create();
        f.project("generation-one", List.of(f.file("role.md", "current guidance", "work/CLAUDE.md")));
        EnvironmentFixture.write(f.root.resolve("role.md"), "other guidance");
        assertThat(f.validate("generation-one").code()).isEqualTo("environment_projection_source_changed");
    }

    @Test
    void an_optional_file_may_be_gone() {
        f.create();
        Map<String, Object> optional = f.file("hint.md", "a hint", "work/hint.md");
        optional.put("required", false);
        f.project("generation-one", List.of(optional));
        f.driver.files.clear();
        assertThat(f.validate("generation-one").status()).isEqualTo(200);
    }

    @Test
    void an_unmanaged_destination_is_preserved_and_nothing_is_prepared() {
        f.create();
        f.guest("work/CLAUDE.md", "owner content");
        assertThat(f.project("generation-one", List.of(f.file("role.md", "current guidance", "work/CLAUDE.md"))))
                .extracting(Answer::status, Answer::code)
                .containsExactly(409, "environment_projection_conflict");
        assertThat(f.driver.files.get(EnvironmentFixture.GUEST + "work/CLAUDE.md"))
                .asString()
                .isEqualTo("owner content");
        assertThat(f.inspect("binding-one").body()).containsEntry("generation", null);
    }

    @Test
    void of_files_that_go_together_those_before_a_conflict_are_put_and_those_behind_it_are_not() {
        f.create();
        f.driver.filesTogether = 3;
        f.driver.files.put("/sandbox/openrig/work/c.md", "another's".getBytes(StandardCharsets.UTF_8));
        assertThat(f.project(
                                "generation-one",
                                List.of(
                                        f.file("a.md", "a", "work/a.md"),
                                        f.file("b.md", "b", "work/b.md"),
                                        f.file("c.md", "c", "work/c.md"),
                                        f.file("d.md", "d", "work/d.md")))
                        .code())
                .isEqualTo("environment_projection_conflict");
        assertThat(f.driver.files)
                .hasSize(3)
                .hasEntrySatisfying(
                        "/sandbox/openrig/work/c.md",
                        bytes -> assertThat(bytes).isEqualTo("another's".getBytes(StandardCharsets.UTF_8)));
        assertThat(f.driver.files).doesNotContainKey("/sandbox/openrig/work/d.md");
        assertThat(f.driver.uploads).hasValue(2);
    }

    @Test
    void of_files_that_go_together_each_is_verified_at_its_own_destination() {
        f.create();
        f.driver.filesTogether = 2;
        f.project(
                "generation-one",
                List.of(
                        f.file("a.md", "a", "work/a.md"),
                        f.file("b.md", "b", "work/b.md"),
                        f.file("c.md", "c", "work/c.md")));
        assertThat(f.validate("generation-one").status()).isEqualTo(200);
        f.driver.files.put("/sandbox/openrig/work/b.md", "changed".getBytes(StandardCharsets.UTF_8));
        assertThat(f.validate("generation-one").code()).isEqualTo("environment_projection_changed");
    }

    @Test
    void traversal_is_rejected_before_a_provider_write() {
        f.create();
        assertThat(f.project("generation-one", List.of(f.file("role.md", "current guidance", "../outside"))))
                .extracting(Answer::status, Answer::code)
                .containsExactly(400, "invalid_environment_path");
        assertThat(f.driver.files).isEmpty();
    }

    @Test
    void a_managed_file_is_replaced_and_earlier_files_stay() {
        f.create();
        f.project(
                "generation-one", List.of(f.file("a.md", "first", "work/a.md"), f.file("b.md", "second", "work/b.md")));
        Answer answer = f.project("generation-two", List.of(f.file("a.md", "third", "work/a.md")));
        assertThat(((List<?>) answer.body().get("files"))
                        .stream().map(file -> ((Map<?, ?>) file).get("path")).toList())
                .isEqualTo(List.of("work/b.md", "work/a.md"));
        assertThat(f.driver.files.get(EnvironmentFixture.GUEST + "work/a.md"))
                .asString()
                .isEqualTo("third");
        assertThat(f.validate("generation-two").status()).isEqualTo(200);
    }

    @Test
    void a_projection_again_sends_nothing_that_is_there() {
        f.create();
        Map<String, Object> file = f.file("a.md", "first", "work/a.md");
        f.project("generation-one", List.of(file));
        f.project("generation-one", List.of(file));
        assertThat(f.driver.uploads).hasValue(1);
    }

    @Test
    void the_executable_mode_of_a_source_goes_along() {
        f.create();
        Map<String, Object> script = f.file("run.sh", "#!/bin/sh\n", "work/run.sh");
        assertThat(f.root.resolve("run.sh").toFile().setExecutable(true)).isTrue();
        f.project("generation-one", List.of(script, f.file("a.md", "text", "work/a.md")));
        assertThat(f.driver.executables)
                .containsEntry(EnvironmentFixture.GUEST + "work/run.sh", true)
                .containsEntry(EnvironmentFixture.GUEST + "work/a.md", false);
    }

    @Test
    void a_spoilt_upload_is_no_projection() {
        f.create();
        f.driver.spoiltUpload = new byte[] {1};
        assertThat(f.project("generation-one", List.of(f.file("a.md", "first", "work/a.md")))
                        .code())
                .isEqualTo("environment_projection_changed");
        assertThat(f.inspect("binding-one").body()).containsEntry("generation", null);
    }

    @Test
    void an_environment_that_changed_or_is_not_ready_takes_no_projection() {
        f.create();
        EnvironmentResource made = f.driver.resources.getFirst();
        f.driver.resources.set(
                0,
                new EnvironmentResource(
                        made.id(), made.name(), made.workspace(), "Stopped", made.fingerprint(), made.operationId()));
        assertThat(f.project("generation-one", List.of()).code()).isEqualTo("environment_not_ready");
        f.driver.resources.set(
                0,
                new EnvironmentResource(
                        "another", made.name(), made.workspace(), "Ready", made.fingerprint(), made.operationId()));
        assertThat(f.project("generation-one", List.of()).code()).isEqualTo("environment_identity_changed");
        f.driver.resources.clear();
        assertThat(f.project("generation-one", List.of()))
                .extracting(Answer::status, Answer::code)
                .containsExactly(503, "environment_unconfirmed");
    }

    @Test
    void what_was_launched_on_is_not_projected_into_again() {
        f.create();
        f.project("generation-one", List.of());
        f.launches.intend(
                f.reader.stored("binding-one"),
                "generation-one",
                Map.of(
                        "bindingId", "binding-one",
                        "nodeId", OneNode.WORKER.nodeId(),
                        "generation", "generation-one",
                        "resourceId", "immutable-resource-1",
                        "nativeId", "n"),
                null);
        assertThat(f.project("generation-two", List.of()))
                .extracting(Answer::status, Answer::code)
                .containsExactly(409, "environment_prior_execution_unconfirmed");
    }

    private void external(String id) {
        f.driver.resources.add(new EnvironmentResource(id, "worker-one", "workspace", "Ready", "host-key-1", null));
    }

    private void link(String name, String target) {
        try {
            Files.createSymbolicLink(f.root.resolve(name), f.root.resolve(target));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_create_that_is_proven_to_have_made_nothing_can_be_given_up_and_is_not_repeated() {
        f.driver.refuseCreate = new BerthException(ProblemCode.ENVIRONMENT_UNCONFIRMED, "The reply is lost.");
        assertThat(f.create().status()).isEqualTo(202);
        assertThat(f.unbind("binding-one").code())
                .as("the provider may still be at it")
                .isEqualTo("environment_create_unconfirmed");
        f.journalClock = Clock.offset(Clock.systemUTC(), BindingRules.CREATE_SETTLES);
        f.restart();
        f.driver.completeListing = false;
        assertThat(f.unbind("binding-one").code()).isEqualTo("environment_listing_incomplete");
        f.driver.completeListing = true;
        assertThat(f.unbind("binding-one").status()).isEqualTo(204);
        f.driver.refuseCreate = null;
        assertThat(f.create().code()).isEqualTo("environment_operation_changed");
        assertThat(f.driver.creates).hasValue(1);
        assertThat(f.create(f.input(Map.of("operationId", "create-two"))).status())
                .isEqualTo(201);
    }

    @Test
    void a_create_whose_environment_is_listed_is_not_given_up() {
        f.driver.loseCreate = true;
        assertThat(f.create().status()).isEqualTo(202);
        f.journalClock = Clock.offset(Clock.systemUTC(), BindingRules.CREATE_SETTLES);
        f.restart();
        assertThat(f.unbind("binding-one").code()).isEqualTo("environment_binding_exists");
        assertThat(f.create().status()).isEqualTo(200);
    }
}
