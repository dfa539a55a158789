package org.berth.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.environment.Environments.intent;
import static org.berth.environment.Environments.operation;
import static org.berth.environment.Environments.record;
import static org.berth.environment.Environments.resource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class IntentRulesTest {
    private static final OperationIntent INTENT = intent("create-1", Map.of("a", 1));

    @Test
    void nothing_there_is_fresh() {
        assertThat(bind(Optional.empty(), Optional.empty(), List.of(), false, false))
                .isInstanceOf(IntentDecision.Fresh.class);
    }

    @Property
    void the_same_intent_is_replayed_in_every_state_whatever_else_is_held(
            @ForAll OperationState state, @ForAll boolean seatBound, @ForAll boolean nameHeld) {
        EnvironmentOperation saved = operation(INTENT, state);
        assertThat(bind(Optional.of(saved), Optional.empty(), List.of(), seatBound, nameHeld))
                .isEqualTo(new IntentDecision.Replay(saved));
        assertThat(IntentRules.operate(INTENT, Optional.of(saved))).isEqualTo(new IntentDecision.Replay(saved));
    }

    @Property
    void the_same_id_with_another_request_kind_or_binding_is_changed(@ForAll OperationState state) {
        for (OperationIntent other : List.of(
                intent("create-1", Map.of("a", 2)),
                OperationIntent.of("create-1", "binding-2", OperationKind.CREATE, Map.of("a", 1), null),
                OperationIntent.of("create-1", "binding-1", OperationKind.ATTACH, Map.of("a", 1), null))) {
            refused(
                    bind(Optional.of(operation(other, state)), Optional.empty(), List.of(), false, false),
                    ProblemCode.ENVIRONMENT_OPERATION_CHANGED);
        }
    }

    @Test
    void who_asks_again_does_not_matter() {
        OperationIntent other =
                OperationIntent.of("create-1", "binding-1", OperationKind.CREATE, Map.of("a", 1), "other@team");
        assertThat(bind(
                        Optional.of(operation(other, OperationState.INTENT)),
                        Optional.empty(),
                        List.of(),
                        false,
                        false))
                .isInstanceOf(IntentDecision.Replay.class);
    }

    @Test
    void a_binding_whose_provider_was_never_asked_gives_way() {
        BindingRecord abandoned = record(Ownership.OWNED, null, true);
        EnvironmentOperation unasked = operation(intent("create-0", Map.of()), OperationState.INTENT);
        assertThat(bind(Optional.empty(), Optional.of(abandoned), List.of(unasked), false, false))
                .isEqualTo(new IntentDecision.Replace(abandoned));
    }

    @Property
    void a_binding_whose_provider_was_asked_stays(@ForAll OperationState state) {
        EnvironmentOperation operation = operation(intent("create-0", Map.of()), state);
        if (state != OperationState.INTENT) {
            refused(
                    bind(
                            Optional.empty(),
                            Optional.of(record(Ownership.OWNED, null, true)),
                            List.of(operation),
                            false,
                            false),
                    ProblemCode.ENVIRONMENT_BINDING_EXISTS);
        }
        refused(
                bind(
                        Optional.empty(),
                        Optional.of(record(Ownership.OWNED, resource("r", null), true)),
                        List.of(),
                        false,
                        false),
                ProblemCode.ENVIRONMENT_BINDING_EXISTS);
    }

    @Property
    void a_bound_seat_comes_before_a_held_name(@ForAll boolean nameHeld) {
        refused(
                bind(Optional.empty(), Optional.empty(), List.of(), true, nameHeld),
                ProblemCode.ENVIRONMENT_SEAT_BOUND);
        refused(bind(Optional.empty(), Optional.empty(), List.of(), false, true), ProblemCode.ENVIRONMENT_NAME_IN_USE);
    }

    private static IntentDecision bind(
            Optional<EnvironmentOperation> saved,
            Optional<BindingRecord> existing,
            List<EnvironmentOperation> journal,
            boolean seatBound,
            boolean nameHeld) {
        return IntentRules.bind(INTENT, new IntentRules.Holdings(saved, existing, journal, seatBound, nameHeld));
    }

    private static void refused(IntentDecision decision, ProblemCode code) {
        assertThat(decision)
                .isInstanceOfSatisfying(
                        IntentDecision.Refuse.class,
                        refuse -> assertThat(refuse.problem().code()).isEqualTo(code));
    }
}
