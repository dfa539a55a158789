package org.berth.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.environment.Environments.binding;
import static org.berth.environment.Environments.intent;
import static org.berth.environment.Environments.operation;
import static org.berth.environment.Environments.record;
import static org.berth.environment.Environments.resource;

import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class BindingRulesTest {
    @Test
    void a_live_resource_is_the_bound_one_by_id_name_workspace_and_fingerprint() {
        EnvironmentBinding bound = binding(Ownership.OWNED, resource("r", "env-1"));
        assertThatCode(() -> BindingRules.requireIdentity(bound, resource("r", "env-9")))
                .doesNotThrowAnyException();
        for (EnvironmentResource other : new EnvironmentResource[] {
            resource("s", "env-1"),
            new EnvironmentResource("r", "else", "team", "Ready", "f", null),
            new EnvironmentResource("r", "worker", "else", "Ready", "f", null),
            new EnvironmentResource("r", "worker", "team", "Ready", "g", null),
            new EnvironmentResource("r", "worker", "team", "Ready", null, null),
            new EnvironmentResource(null, "worker", "team", "Ready", "f", null),
            null
        }) {
            refused(() -> BindingRules.requireIdentity(bound, other), ProblemCode.ENVIRONMENT_IDENTITY_CHANGED);
        }
        refused(
                () -> BindingRules.requireIdentity(binding(Ownership.OWNED, null), resource("r", "env-1")),
                ProblemCode.ENVIRONMENT_IDENTITY_CHANGED);
    }

    @Property
    void one_compute_carries_one_launch_unless_that_was_refused(@ForAll OperationState state) {
        EnvironmentBinding bound = binding(Ownership.OWNED, resource("r", "env-1"));
        EnvironmentOperation launch = operation(intent("launch-1", Map.of()), state);
        ThrowingCallable check =
                () -> BindingRules.requireNoExecution(bound, Map.of(launch, Map.of("resourceId", "r")));
        if (state == OperationState.REFUSED) {
            assertThatCode(check).doesNotThrowAnyException();
        } else {
            refused(check, ProblemCode.ENVIRONMENT_PRIOR_EXECUTION_UNCONFIRMED);
        }
        assertThatCode(() -> BindingRules.requireNoExecution(bound, Map.of(launch, Map.of("resourceId", "gone"))))
                .doesNotThrowAnyException();
    }

    @Property
    void only_what_owns_nothing_may_be_given_up(
            @ForAll Ownership ownership,
            @ForAll boolean holdsName,
            @ForAll boolean resource,
            @ForAll OperationState state) {
        BindingRecord record = record(ownership, resource ? resource("r", "env-1") : null, holdsName);
        ThrowingCallable release =
                () -> BindingRules.requireReleasable(record, List.of(operation(intent("create-1", Map.of()), state)));
        boolean unasked = !resource && (state == OperationState.INTENT || state == OperationState.REFUSED);
        if (ownership == Ownership.ATTACHED || !holdsName || unasked) {
            assertThatCode(release).doesNotThrowAnyException();
        } else {
            refused(release, ProblemCode.ENVIRONMENT_BINDING_EXISTS);
        }
    }

    @Property
    void a_claimed_create_is_given_up_only_when_a_complete_listing_shows_nothing_of_it(
            @ForAll boolean complete, @ForAll boolean listed) {
        EnvironmentOperation create = operation(intent("create-1", Map.of()), OperationState.REQUESTED);
        EnvironmentListing listing =
                new EnvironmentListing(complete, listed ? List.of(resource("r", create.effectId())) : List.of());
        ThrowingCallable check = () -> BindingRules.requireNeverMade(create, listing);
        if (!complete) {
            refused(check, ProblemCode.ENVIRONMENT_LISTING_INCOMPLETE);
        } else if (listed) {
            refused(check, ProblemCode.ENVIRONMENT_BINDING_EXISTS);
        } else {
            assertThatCode(check).doesNotThrowAnyException();
        }
    }

    @Test
    void a_create_may_be_under_way_for_as_long_as_a_driver_may_take() {
        refused(
                () -> BindingRules.requireSettled(BindingRules.CREATE_SETTLES.minusMillis(1)),
                ProblemCode.ENVIRONMENT_CREATE_UNCONFIRMED);
        assertThatCode(() -> BindingRules.requireSettled(BindingRules.CREATE_SETTLES))
                .doesNotThrowAnyException();
    }

    @Test
    void what_changed_since_it_was_selected_is_refused() {
        BindingRecord selected =
                record(Ownership.OWNED, resource("r", "env-1"), true).projected(List.of(), "g1");
        assertThatCode(() -> BindingRules.requireUnchanged(selected, selected, "g1"))
                .doesNotThrowAnyException();
        changed(selected, null);
        changed(selected, selected.with(selected.binding().withResource(resource("s", "env-1"))));
        changed(selected, selected.projected(List.of(), "g2"));
        changed(
                selected,
                new BindingRecord(selected.binding(), "incarnation-2", "host-1", true, null, Environments.NOW));
        changed(
                selected,
                selected.with(new EnvironmentBinding(
                        selected.binding().config().withNodeId("node-2"),
                        Ownership.OWNED,
                        selected.binding().resource(),
                        "g1")));
        assertThatCode(() -> BindingRules.requireUnchanged(selected, selected.projected(List.of(), "g2"), null))
                .doesNotThrowAnyException();
    }

    private static void changed(BindingRecord selected, BindingRecord current) {
        refused(
                () -> BindingRules.requireUnchanged(selected, current, "g1"),
                ProblemCode.ENVIRONMENT_SELECTION_CHANGED);
    }

    private static void refused(ThrowingCallable call, ProblemCode code) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }
}
