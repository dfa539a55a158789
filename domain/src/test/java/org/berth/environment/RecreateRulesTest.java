package org.berth.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.environment.Environments.binding;
import static org.berth.environment.Environments.checkpoint;
import static org.berth.environment.Environments.operation;
import static org.berth.environment.Environments.resource;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class RecreateRulesTest {
    private static final EnvironmentBinding OWNED = binding(Ownership.OWNED, resource("r1", "env-0"));
    private static final EnvironmentPlacement BOUND = OWNED.placement();
    private static final EnvironmentPlacement WANTED = placement("worker-two", "other-provider");

    private static EnvironmentPlacement placement(String name, String provider) {
        return new EnvironmentPlacement(
                BOUND.gateway(), BOUND.workspace(), name, BOUND.image(), provider, "/srv/policy.yaml", null);
    }

    private static RecreateRequest request(String generation, String type, String token) {
        return new RecreateRequest("recreate-1", generation, "checkpoint-1", type, token, WANTED, "operator@team");
    }

    private static RecreateRequest exact() {
        return request("generation-1", checkpoint().nativeType(), checkpoint().nativeId());
    }

    private static EnvironmentOperation intent() {
        return operation(RecreateRules.intent("binding-1", exact(), WANTED, checkpoint()), OperationState.INTENT);
    }

    private static EnvironmentResource successor(String id, String effectId) {
        return new EnvironmentResource(id, "worker-two", "team", "Ready", "f", effectId);
    }

    private static void refused(ProblemCode code, ThrowingCallable rule) {
        assertThatThrownBy(rule)
                .isInstanceOfSatisfying(
                        BerthException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Provide
    Arbitrary<List<EnvironmentResource>> others() {
        return Arbitraries.strings()
                .alpha()
                .ofLength(5)
                .map(name -> new EnvironmentResource("id-" + name, name, "team", "Ready", null, "env-" + name))
                .list()
                .ofMaxSize(6);
    }

    @Test
    void attached_and_unconfirmed_environments_are_not_made_again() {
        refused(
                ProblemCode.ENVIRONMENT_ATTACHED_PRESERVED,
                () -> RecreateRules.requireOwned(binding(Ownership.ATTACHED, resource("r1", null))));
        refused(
                ProblemCode.ENVIRONMENT_ATTACHED_PRESERVED,
                () -> RecreateRules.requireOwned(binding(Ownership.OWNED, null)));
        assertThatCode(() -> RecreateRules.requireOwned(OWNED)).doesNotThrowAnyException();
    }

    @Property
    void only_the_exact_type_and_conversation_select_a_checkpoint(@ForAll String type, @ForAll String token) {
        refused(
                ProblemCode.ENVIRONMENT_CHECKPOINT_MISSING,
                () -> RecreateRules.requireCheckpoint(
                        OWNED, request("generation-1", type, checkpoint().nativeId()), checkpoint()));
        refused(
                ProblemCode.ENVIRONMENT_CHECKPOINT_MISSING,
                () -> RecreateRules.requireCheckpoint(
                        OWNED, request("generation-1", checkpoint().nativeType(), token), checkpoint()));
        assertThatCode(() -> RecreateRules.requireCheckpoint(OWNED, exact(), checkpoint()))
                .doesNotThrowAnyException();
    }

    @Test
    void a_missing_checkpoint_is_refused() {
        refused(
                ProblemCode.ENVIRONMENT_CHECKPOINT_MISSING,
                () -> RecreateRules.requireCheckpoint(OWNED, exact(), null));
    }

    @Property
    void only_the_predecessors_generation_is_taken(@ForAll String generation) {
        if (!generation.equals(checkpoint().generation())) {
            refused(
                    ProblemCode.ENVIRONMENT_GENERATION_CHANGED,
                    () -> RecreateRules.requireGeneration(
                            request(
                                    generation,
                                    checkpoint().nativeType(),
                                    checkpoint().nativeId()),
                            checkpoint()));
        }
        assertThatCode(() -> RecreateRules.requireGeneration(exact(), checkpoint()))
                .doesNotThrowAnyException();
    }

    @Property
    void gateway_workspace_and_image_stay(@ForAll String gateway, @ForAll String workspace, @ForAll String image) {
        for (EnvironmentPlacement changed : List.of(
                new EnvironmentPlacement(gateway, BOUND.workspace(), "two", BOUND.image(), "p", null, null),
                new EnvironmentPlacement(BOUND.gateway(), workspace, "two", BOUND.image(), "p", null, null),
                new EnvironmentPlacement(BOUND.gateway(), BOUND.workspace(), "two", image, "p", null, null))) {
            refused(ProblemCode.ENVIRONMENT_RECREATE_CHANGED, () -> RecreateRules.requirePlacement(BOUND, changed));
        }
    }

    @Test
    void a_name_and_a_provider_are_selected_and_may_be_others() {
        assertThatCode(() -> RecreateRules.requirePlacement(BOUND, WANTED)).doesNotThrowAnyException();
        for (EnvironmentPlacement bad : new EnvironmentPlacement[] {
            placement(null, "p"),
            placement("Upper", "p"),
            placement("-two", "p"),
            placement("x".repeat(20), "p"),
            placement("two", null),
            placement("two", ""),
            placement("two", "a b"),
            placement("two", "a\0b"),
            EnvironmentTrees.placementOf(Map.of())
        }) {
            refused(ProblemCode.ENVIRONMENT_RECREATE_CHANGED, () -> RecreateRules.requirePlacement(BOUND, bad));
        }
    }

    @Test
    void a_repeated_id_is_the_same_recreation_only_with_the_same_input() {
        OperationIntent first = RecreateRules.intent("binding-1", exact(), WANTED, checkpoint());
        assertThat(first.kind()).isEqualTo(OperationKind.RECREATE);
        assertThat(RecreateRules.intent("binding-1", exact(), WANTED, checkpoint()))
                .isEqualTo(first);
        assertThat(RecreateRules.intent("binding-1", exact(), placement("three", "p"), checkpoint()))
                .isNotEqualTo(first);
        assertThat(RecreateRules.intent("binding-1", exact(), WANTED.withPolicySha256("b".repeat(64)), checkpoint()))
                .isNotEqualTo(first);
    }

    @Property
    void an_incomplete_listing_proves_nothing(@ForAll("others") List<EnvironmentResource> others) {
        refused(
                ProblemCode.ENVIRONMENT_LISTING_INCOMPLETE,
                () -> RecreateRules.requireGone(new EnvironmentListing(false, others), checkpoint()));
    }

    @Property
    void a_predecessor_that_is_listed_is_there(@ForAll("others") List<EnvironmentResource> others) {
        List<EnvironmentResource> listed = new ArrayList<>(others);
        assertThatCode(() -> RecreateRules.requireGone(new EnvironmentListing(true, others), checkpoint()))
                .doesNotThrowAnyException();
        listed.add(resource("r1", "env-0"));
        refused(
                ProblemCode.ENVIRONMENT_PREDECESSOR_PRESENT,
                () -> RecreateRules.requireGone(new EnvironmentListing(true, listed), checkpoint()));
    }

    @Property
    void any_part_that_is_left_and_no_answer_are_no_proof(
            @ForAll boolean workload, @ForAll boolean supervisor, @ForAll boolean volumes) {
        refused(ProblemCode.ENVIRONMENT_CLEANUP_UNCONFIRMED, () -> RecreateRules.requireAbsent(null));
        DependentObservation seen = new DependentObservation(workload, supervisor, volumes);
        if (workload || supervisor || volumes) {
            refused(ProblemCode.ENVIRONMENT_CLEANUP_UNCONFIRMED, () -> RecreateRules.requireAbsent(seen));
        } else {
            assertThatCode(() -> RecreateRules.requireAbsent(seen)).doesNotThrowAnyException();
        }
    }

    @Property
    void the_successor_is_the_one_that_carries_the_effects_id(@ForAll("others") List<EnvironmentResource> others) {
        assertThat(choose(others, Set.of())).isNull();
        EnvironmentResource match = successor("r2", "env-1");
        assertThat(choose(with(others, match), Set.of())).isEqualTo(match);
        refused(
                ProblemCode.ENVIRONMENT_DUPLICATE_RESOURCES,
                () -> choose(with(with(others, match), successor("r3", "env-1")), Set.of()));
        refused(
                ProblemCode.ENVIRONMENT_DUPLICATE_RESOURCES,
                () -> choose(with(others, successor("r4", "env-2")), Set.of("env-2")));
        refused(
                ProblemCode.ENVIRONMENT_NAME_IN_USE,
                () -> choose(with(others, successor("r4", "env-somebody")), Set.of("env-2")));
    }

    private static EnvironmentResource choose(List<EnvironmentResource> listed, Set<String> earlier) {
        return RecreateRules.successor(new EnvironmentListing(true, listed), intent(), earlier, WANTED, checkpoint());
    }

    private static List<EnvironmentResource> with(List<EnvironmentResource> others, EnvironmentResource one) {
        List<EnvironmentResource> all = new ArrayList<>(others);
        all.add(one);
        return all;
    }

    @Test
    void another_environment_than_was_asked_for_is_no_successor() {
        for (EnvironmentResource other : new EnvironmentResource[] {
            null,
            successor(null, "env-1"),
            successor("", "env-1"),
            successor("r1", "env-1"),
            successor("r2", "env-9"),
            new EnvironmentResource("r2", "other", "team", "Ready", "f", "env-1"),
            new EnvironmentResource("r2", "worker-two", "elsewhere", "Ready", "f", "env-1")
        }) {
            refused(
                    ProblemCode.ENVIRONMENT_IDENTITY_CHANGED,
                    () -> RecreateRules.requireSuccessor(other, intent(), WANTED, checkpoint()));
        }
    }

    @Test
    void the_successor_is_on_the_predecessors_host_and_engine() {
        Map<String, Object> engine = new LinkedHashMap<>();
        engine.put("host", "h");
        engine.put("uid", 1000L);
        engine.put("socketDevice", 1L);
        engine.put("socketInode", 2L);
        engine.put("resourceId", "r1");
        Map<String, Object> same = new LinkedHashMap<>(engine);
        same.put("resourceId", "r2");
        assertThatCode(() -> RecreateRules.requireSameEngine(engine, same)).doesNotThrowAnyException();
        for (String part : List.of("host", "uid", "socketDevice", "socketInode")) {
            Map<String, Object> other = new LinkedHashMap<>(same);
            other.put(part, "other");
            refused(ProblemCode.ENVIRONMENT_RESTORE_HOST_CHANGED, () -> RecreateRules.requireSameEngine(engine, other));
        }
        refused(ProblemCode.ENVIRONMENT_CLEANUP_UNCONFIRMED, () -> RecreateRules.requireSameEngine(null, same));
    }

    @Test
    void a_recreation_is_read_back_whole() {
        Recreation recreation = Recreation.of("recreate-1", checkpoint(), successor("r2", "env-1"))
                .launchedAs("generation-2");
        assertThat(Recreation.of(recreation.tree())).isEqualTo(recreation);
        assertThat(recreation.tree())
                .containsEntry("state", "confirmed")
                .containsEntry("predecessorResourceId", "r1")
                .containsEntry("successorResourceId", "r2")
                .containsEntry("predecessorGeneration", "generation-1")
                .containsEntry("nativeId", checkpoint().nativeId());
    }

    @Test
    void the_binding_moves_to_the_successor_without_projection_and_generation() {
        BindingRecord moved = Environments.record(Ownership.OWNED, resource("r1", "env-0"), false)
                .projected(List.of(), "generation-1")
                .recreated(WANTED, successor("r2", "env-1"));
        assertThat(moved.projection()).isNull();
        assertThat(moved.holdsName()).isTrue();
        assertThat(moved.binding().generation()).isNull();
        assertThat(moved.binding().placement()).isEqualTo(WANTED);
        assertThat(moved.binding().resource().id()).isEqualTo("r2");
    }
}
