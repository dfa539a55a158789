package org.berth.environment.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.berth.environment.BindingRecord;
import org.berth.environment.DependentObservation;
import org.berth.environment.EffectRequest;
import org.berth.environment.EnvironmentEffect;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.OperationKind;
import org.berth.environment.OperationState;
import org.berth.environment.service.EnvironmentFixture.Answer;
import org.berth.persistence.TestDatabase;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The reference's "owned and attached environment effects", on the services, and what lies between their steps. */
class OwnedAndAttachedEffectsTest {
    private static final String NATIVE = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
    private static final String GENERATION = "generation-one";
    private static final BooleanSupplier ALWAYS = () -> true;

    @TempDir
    Path directory;

    private EnvironmentFixture f;

    @BeforeEach
    void fixture() {
        f = new EnvironmentFixture(TestDatabase.H2, directory);
    }

    private void owned() {
        assertThat(f.create().status()).isEqualTo(201);
        launched();
    }

    private void attached() {
        f.driver.resources.add(
                new EnvironmentResource("immutable-resource-1", "worker-one", "workspace", "Ready", null, "other"));
        assertThat(f.attach(f.input(Map.of("resourceId", "immutable-resource-1")))
                        .status())
                .isEqualTo(201);
        launched();
    }

    private void launched() {
        assertThat(f.project(GENERATION, List.of()).status()).isEqualTo(200);
        f.driver.nativeId = NATIVE;
        f.driver.nativeGeneration = GENERATION;
        BindingRecord binding = f.reader.stored("binding-one");
        Map<String, Object> receipt = new LinkedHashMap<>();
        receipt.put("resourceId", "immutable-resource-1");
        receipt.put("generation", GENERATION);
        receipt.put("nativeType", EnvironmentRules.NATIVE_TYPE);
        receipt.put("nativeId", NATIVE);
        f.journal.step(store -> {
            store.append(
                    binding,
                    new EnvironmentOperation(
                            LaunchJournal.operationId(GENERATION),
                            "binding-one",
                            OperationKind.LAUNCH,
                            CanonicalJson.write(receipt),
                            null,
                            OperationState.CONFIRMED,
                            CanonicalJson.write(receipt),
                            null,
                            null,
                            f.journal.now()));
            return null;
        });
    }

    private Map<String, Object> effect(EnvironmentEffect effect) {
        return effect("effect-one", effect, ALWAYS);
    }

    private Map<String, Object> effect(String operationId, EnvironmentEffect effect, BooleanSupplier eligible) {
        return f.effects.effect(
                "binding-one",
                new EffectRequest(operationId, GENERATION, effect, "/owned/engine.sock"),
                EnvironmentFixture.COORDINATOR,
                eligible);
    }

    private OperationState state(String operationId) {
        return f.operations().stream()
                .filter(each -> each.operationId().equals(operationId))
                .findFirst()
                .orElseThrow()
                .state();
    }

    @Test
    void stops_only_the_selected_native_and_reconciles_a_lost_acknowledgement_without_a_second_signal() {
        owned();
        f.driver.loseStop = true;
        Map<String, Object> first = effect(EnvironmentEffect.STOP_NATIVE);
        assertThat(first)
                .containsEntry("state", "confirmed")
                .containsEntry("effect", "stop-native")
                .containsEntry("requestedBy", EnvironmentFixture.COORDINATOR.session());
        assertThat(effect(EnvironmentEffect.STOP_NATIVE)).isEqualTo(first);
        assertThat(f.driver.stops).hasValue(1);
        assertThat(f.driver.resources.getFirst().phase()).isEqualTo("Ready");
        assertThat(f.driver.deleted).hasValue(0);
    }

    @Test
    void observes_stopped_compute_independently_of_native_and_viewer() {
        owned();
        assertThat(effect(EnvironmentEffect.STOP_COMPUTE))
                .containsEntry("state", "confirmed")
                .containsEntry("resourceId", "immutable-resource-1");
        assertThat(f.driver.closes).hasValue(0);
        assertThat(f.driver.deleted).hasValue(0);
        assertThat(f.reader.stored("binding-one").binding().resource().phase())
                .as("the stored phase is the one that was observed")
                .isEqualTo("Stopped");
        assertThat(effect("effect-two", EnvironmentEffect.STOP_COMPUTE, ALWAYS)).containsEntry("state", "confirmed");
        assertThat(f.driver.stops).as("what is stopped is not stopped again").hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = EnvironmentEffect.class,
            names = {"STOP_NATIVE", "STOP_COMPUTE", "DELETE_OWNED"})
    void preserves_attached_resources(EnvironmentEffect effect) {
        attached();
        assertRefused(() -> effect(effect), 409, "environment_attached_preserved");
        assertThat(f.driver.stops).hasValue(0);
        assertThat(f.driver.deleted).hasValue(0);
        assertThat(f.driver.creates).hasValue(0);
    }

    @Test
    void the_windows_of_an_attached_environment_can_be_closed() {
        attached();
        assertThat(effect(EnvironmentEffect.CLOSE_VIEWER)).containsEntry("state", "confirmed");
        assertThat(f.driver.closes).hasValue(1);
    }

    @Test
    void a_window_whose_end_is_not_seen_is_looked_for_again() {
        owned();
        f.driver.viewersClose = false;
        assertThat(effect(EnvironmentEffect.CLOSE_VIEWER)).containsEntry("state", "unconfirmed");
        f.driver.viewersClose = true;
        assertThat(effect(EnvironmentEffect.CLOSE_VIEWER)).containsEntry("state", "confirmed");
        assertThat(f.driver.stops).hasValue(0);
    }

    @Test
    void does_not_call_provider_absence_complete_until_all_parts_are_absent() {
        owned();
        f.driver.left = new DependentObservation(false, false, true);
        Map<String, Object> result = effect(EnvironmentEffect.DELETE_OWNED);
        assertThat(result).containsEntry("state", "unconfirmed");
        assertThat(result.get("remaining")).isEqualTo(Map.of("workload", false, "supervisor", false, "volumes", true));
        assertThat(f.driver.deleted).hasValue(1);
        effect(EnvironmentEffect.DELETE_OWNED);
        assertThat(f.driver.deleted).hasValue(1);
        assertThat(f.unbind("binding-one").code()).isEqualTo("environment_binding_exists");

        f.driver.left = new DependentObservation(false, false, false);
        assertThat(effect(EnvironmentEffect.DELETE_OWNED)).containsEntry("state", "confirmed");
        assertThat(f.reader.stored("binding-one").holdsName()).isFalse();
        assertThat(f.unbind("binding-one").status()).isEqualTo(204);
    }

    @Test
    void keeps_the_original_operation_when_a_lookup_fails_and_never_infers_absence() {
        owned();
        f.driver.refuseListing = new BerthException(ProblemCode.ENVIRONMENT_UNCONFIRMED, "The provider is away.");
        assertThat(effect(EnvironmentEffect.DELETE_OWNED)).containsEntry("state", "unconfirmed");
        assertThat(f.driver.deleted).hasValue(0);
        assertThat(state("effect-one")).isEqualTo(OperationState.INTENT);

        f.driver.refuseListing = null;
        f.driver.completeListing = false;
        assertThat(effect(EnvironmentEffect.DELETE_OWNED)).containsEntry("state", "unconfirmed");
        assertThat(f.driver.deleted).hasValue(0);
    }

    @Test
    void refuses_the_wrong_generation_before_the_provider_is_asked() {
        owned();
        f.driver.refuseListing = new BerthException(ProblemCode.INTERNAL, "It was asked.");
        assertRefused(
                () -> f.effects.effect(
                        "binding-one",
                        new EffectRequest("stale", "older", EnvironmentEffect.DELETE_OWNED, null),
                        EnvironmentFixture.COORDINATOR,
                        ALWAYS),
                409,
                "environment_generation_changed");
    }

    @Test
    void an_environment_that_was_never_prepared_is_deleted_without_a_generation() {
        assertThat(f.create().status()).isEqualTo(201);
        assertThat(f.effects.effect(
                        "binding-one",
                        new EffectRequest("delete", null, EnvironmentEffect.DELETE_OWNED, "/owned/engine.sock"),
                        EnvironmentFixture.COORDINATOR,
                        ALWAYS))
                .containsEntry("state", "confirmed")
                .doesNotContainKey("generation");
    }

    @Test
    void a_refusal_right_before_the_dispatch_releases_the_claim() {
        owned();
        AtomicBoolean eligible = new AtomicBoolean(true);
        f.driver.beforeGate = () -> eligible.set(false);
        assertThat(effect("effect-one", EnvironmentEffect.STOP_COMPUTE, eligible::get))
                .containsEntry("state", "pending");
        assertThat(f.driver.stops).hasValue(0);
        assertThat(state("effect-one")).isEqualTo(OperationState.INTENT);

        f.driver.beforeGate = () -> {};
        assertThat(effect(EnvironmentEffect.STOP_COMPUTE)).containsEntry("state", "confirmed");
        assertThat(f.driver.stops).hasValue(1);
    }

    @Test
    void a_caller_who_is_not_eligible_sends_nothing() {
        owned();
        for (EnvironmentEffect each : EnvironmentEffect.values()) {
            assertThat(effect("effect-" + each.wire(), each, () -> false)).containsEntry("state", "pending");
        }
        assertThat(f.driver.stops).hasValue(0);
        assertThat(f.driver.deleted).hasValue(0);
        assertThat(f.driver.closes).hasValue(0);
    }

    @Test
    void a_generation_that_changes_while_the_provider_is_asked_stops_nothing() {
        owned();
        f.driver.beforeGate = () -> f.journal.step(store -> {
            BindingRecord current = store.lock("binding-one").orElseThrow();
            store.save(current.projected(List.of(), "generation-two"));
            return null;
        });
        assertThat(effect(EnvironmentEffect.STOP_COMPUTE)).containsEntry("state", "pending");
        assertThat(f.driver.stops).hasValue(0);
    }

    @Test
    void a_native_that_ignores_TERM_is_pending_and_gets_no_second_one() {
        owned();
        f.driver.ignoreTerm = true;
        assertThat(effect(EnvironmentEffect.STOP_NATIVE)).containsEntry("state", "pending");
        assertThat(effect(EnvironmentEffect.STOP_NATIVE)).containsEntry("state", "pending");
        assertThat(f.driver.stops).hasValue(1);
        f.driver.running = false;
        assertThat(effect(EnvironmentEffect.STOP_NATIVE)).containsEntry("state", "confirmed");
        assertThat(f.driver.stops).hasValue(1);
    }

    @Test
    void another_native_than_the_confirmed_one_gets_no_signal() {
        owned();
        f.driver.nativeId = "11111111-bbbb-4ccc-8ddd-eeeeeeeeeeee";
        assertRefused(() -> effect(EnvironmentEffect.STOP_NATIVE), 409, "environment_native_changed");
        assertThat(f.driver.stops).hasValue(0);
    }

    @Test
    void an_operation_that_the_driver_lacks_is_501_and_leaves_no_claim() {
        owned();
        f.driver.deletes = false;
        assertRefused(() -> effect(EnvironmentEffect.DELETE_OWNED), 501, "environment_effect_unsupported");
        assertThat(state("effect-one")).isEqualTo(OperationState.INTENT);
    }

    @Test
    void a_deletion_without_an_inventory_needs_the_engine() {
        owned();
        assertRefused(
                () -> f.effects.effect(
                        "binding-one",
                        new EffectRequest("effect-one", GENERATION, EnvironmentEffect.DELETE_OWNED, null),
                        EnvironmentFixture.COORDINATOR,
                        ALWAYS),
                400,
                "environment_engine_required");
        assertThat(f.driver.deleted).hasValue(0);
    }

    @Test
    void a_name_that_was_taken_again_protects_the_new_environment() {
        owned();
        f.driver.resources.set(
                0, new EnvironmentResource("immutable-resource-2", "worker-one", "workspace", "Ready", null, "other"));
        assertRefused(() -> effect(EnvironmentEffect.DELETE_OWNED), 409, "environment_identity_changed");
        assertThat(f.driver.deleted).hasValue(0);
    }

    @Test
    void the_same_id_with_another_request_is_refused() {
        owned();
        effect(EnvironmentEffect.CLOSE_VIEWER);
        assertRefused(() -> effect(EnvironmentEffect.STOP_NATIVE), 409, "environment_operation_changed");
    }

    private static void assertRefused(Runnable call, int status, String code) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        BerthException.class,
                        e -> assertThat(new Answer(e.status(), e.code().wire(), Map.of()))
                                .isEqualTo(new Answer(status, code, Map.of())));
    }
}
