package org.berth.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.environment.Environments.config;
import static org.berth.environment.Environments.intent;
import static org.berth.environment.Environments.operation;
import static org.berth.environment.Environments.resource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class CreateReconciliationTest {
    @Provide
    Arbitrary<List<EnvironmentResource>> others() {
        return Arbitraries.strings()
                .alpha()
                .ofLength(5)
                .map(name -> new EnvironmentResource("id-" + name, name, "team", "Ready", null, "env-" + name))
                .list()
                .ofMaxSize(6);
    }

    @Property
    void an_incomplete_listing_says_nothing_whatever_it_shows(
            @ForAll("others") List<EnvironmentResource> others, @ForAll OperationState state) {
        List<EnvironmentResource> listed = with(others, resource("r", "env-1"));
        assertThat(decide(new EnvironmentListing(false, listed), state))
                .isInstanceOf(CreateReconciliation.Incomplete.class);
    }

    @Property
    void one_match_among_others_is_the_environment_of_the_create_in_every_state(
            @ForAll("others") List<EnvironmentResource> others, @ForAll OperationState state) {
        EnvironmentResource match = resource("r", "env-1");
        assertThat(decide(new EnvironmentListing(true, with(others, match)), state))
                .isEqualTo(new CreateReconciliation.Found(match));
    }

    @Property
    void two_matches_are_never_chosen_from(
            @ForAll("others") List<EnvironmentResource> others, @ForAll OperationState state) {
        refused(
                decide(
                        new EnvironmentListing(
                                true, with(with(others, resource("r", "env-1")), resource("s", "env-1"))),
                        state),
                ProblemCode.ENVIRONMENT_DUPLICATE_RESOURCES);
    }

    @Property
    void absence_after_the_request_is_no_permission_to_ask_again(
            @ForAll("others") List<EnvironmentResource> others, @ForAll OperationState state) {
        CreateReconciliation decision = decide(new EnvironmentListing(true, others), state);
        if (state == OperationState.INTENT) {
            assertThat(decision).isInstanceOf(CreateReconciliation.Absent.class);
        } else {
            assertThat(decision).isInstanceOf(CreateReconciliation.Unresolved.class);
        }
    }

    @Test
    void a_used_name_is_refused_before_the_provider_is_asked() {
        refused(
                decide(new EnvironmentListing(true, List.of(resource("foreign", "create-1"))), OperationState.INTENT),
                ProblemCode.ENVIRONMENT_NAME_IN_USE);
    }

    @Test
    void a_match_with_another_name_workspace_or_no_id_is_another_environment() {
        for (EnvironmentResource other : List.of(
                new EnvironmentResource("r", "else", "team", "Ready", null, "env-1"),
                new EnvironmentResource("r", "worker", "else", "Ready", null, "env-1"),
                new EnvironmentResource("", "worker", "team", "Ready", null, "env-1"))) {
            refused(
                    decide(new EnvironmentListing(true, List.of(other)), OperationState.REQUESTED),
                    ProblemCode.ENVIRONMENT_IDENTITY_CHANGED);
            assertThat(CreateReconciliation.answered(other, "env-1", config().placement()))
                    .isFalse();
        }
        assertThat(CreateReconciliation.answered(resource("r", "env-1"), "env-1", config().placement()))
                .isTrue();
        assertThat(CreateReconciliation.answered(resource("r", "env-2"), "env-1", config().placement()))
                .isFalse();
        assertThat(CreateReconciliation.answered(null, "env-1", config().placement()))
                .isFalse();
    }

    private static CreateReconciliation decide(EnvironmentListing listing, OperationState state) {
        return CreateReconciliation.decide(
                listing, operation(intent("create-1", Map.of()), state), config().placement());
    }

    private static List<EnvironmentResource> with(List<EnvironmentResource> others, EnvironmentResource added) {
        List<EnvironmentResource> all = new ArrayList<>(others);
        all.add(all.size() / 2, added);
        return all;
    }

    private static void refused(CreateReconciliation decision, ProblemCode code) {
        assertThat(decision)
                .isInstanceOfSatisfying(
                        CreateReconciliation.Refused.class,
                        refused -> assertThat(refused.problem().code()).isEqualTo(code));
    }
}
