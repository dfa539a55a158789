package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.placement.ExecutionState.EXITED;
import static org.berth.placement.ExecutionState.INTENDED;
import static org.berth.placement.ExecutionState.RUNNING;
import static org.berth.placement.ExecutionState.STARTING;
import static org.berth.placement.ExecutionState.STOPPING;
import static org.berth.placement.ExecutionState.UNCERTAIN;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.berth.placement.AttemptLifecycle.CleanupDecision;
import org.berth.placement.AttemptLifecycle.CleanupEvent;
import org.berth.placement.AttemptLifecycle.Decision;
import org.berth.placement.AttemptLifecycle.Event;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AttemptLifecycleTest {
    /** Source: placement.md, State machine, written out a second time. */
    private static final Map<ExecutionState, Set<ExecutionState>> MAY_BECOME = new EnumMap<>(Map.of(
            INTENDED, EnumSet.of(STARTING, EXITED, UNCERTAIN),
            STARTING, EnumSet.of(RUNNING, STOPPING, EXITED, UNCERTAIN),
            RUNNING, EnumSet.of(STOPPING, EXITED, UNCERTAIN),
            STOPPING, EnumSet.of(EXITED, UNCERTAIN),
            UNCERTAIN, EnumSet.of(EXITED),
            EXITED, EnumSet.noneOf(ExecutionState.class)));

    // One column for each state in its order; a word is the next state, - is kept, x is refused.
    @ParameterizedTest
    @ValueSource(
            strings = {
                // event             intended  starting  running   stopping  uncertain exited
                "CLAIMED              STARTING  x         x         x         x         x",
                "STOPPED_BEFORE_CLAIM EXITED    x         x         x         x         x",
                "CHILD_STARTED        x         RUNNING   -         -         -         -",
                "STOP_REQUESTED       x         STOPPING  STOPPING  -         -         -",
                "CHILD_EXITED         x         EXITED    EXITED    EXITED    EXITED    -",
                "CHILD_NOT_STARTED    EXITED    EXITED    x         EXITED    EXITED    -",
                "ABSENCE_PROVEN       x         EXITED    EXITED    EXITED    EXITED    -",
                "BECAME_UNCERTAIN     UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN -         -",
            })
    void every_pair_of_state_and_event_is_decided(String row) {
        String[] words = row.trim().split(" +");
        Event event = Event.valueOf(words[0]);
        for (ExecutionState state : ExecutionState.values()) {
            Decision decision = AttemptLifecycle.decide(state, event);
            switch (words[state.ordinal() + 1]) {
                case "x" ->
                    assertThat(decision).isInstanceOfSatisfying(Decision.Refuse.class, refusal -> {
                        assertThat(refusal.code()).isEqualTo(ProblemCode.CONFLICT);
                        assertThat(refusal.sentence()).contains(Wire.name(state), Wire.name(event));
                    });
                case "-" -> assertThat(decision).isEqualTo(new Decision.AlreadyDone());
                case String next -> assertThat(decision).isEqualTo(new Decision.Apply(ExecutionState.valueOf(next)));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_state_has_exactly_the_successors_of_the_reference(ExecutionState from) {
        assertThat(AttemptLifecycle.successors(from)).isEqualTo(MAY_BECOME.get(from));
        for (ExecutionState to : ExecutionState.values()) {
            assertThat(AttemptLifecycle.allows(from, to))
                    .isEqualTo(MAY_BECOME.get(from).contains(to));
        }
    }

    @Property
    void no_sequence_of_events_leaves_the_table_and_exited_is_final(@ForAll List<Event> events) {
        ExecutionState state = INTENDED;
        boolean ended = false;
        for (Event event : events) {
            if (AttemptLifecycle.decide(state, event) instanceof Decision.Apply(ExecutionState next)) {
                assertThat(MAY_BECOME.get(state)).contains(next);
                assertThat(ended).isFalse();
                state = next;
                ended = next == EXITED;
            }
        }
    }

    @Property
    void an_event_that_was_applied_is_never_applied_again_at_once(@ForAll ExecutionState from, @ForAll Event event) {
        if (AttemptLifecycle.decide(from, event) instanceof Decision.Apply(ExecutionState next)) {
            assertThat(AttemptLifecycle.decide(next, event)).isNotInstanceOf(Decision.Apply.class);
        }
    }

    @Test
    void a_second_claim_is_refused() {
        assertThat(AttemptLifecycle.decide(STARTING, Event.CLAIMED)).isInstanceOf(Decision.Refuse.class);
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING,   PROVEN,   COMPLETE",
        "UNCERTAIN, PROVEN,   COMPLETE",
        "COMPLETE,  PROVEN,   -",
        "PENDING,   UNPROVEN, -",
        "UNCERTAIN, UNPROVEN, -",
        "COMPLETE,  UNPROVEN, -",
        "PENDING,   FAILED,   UNCERTAIN",
        "UNCERTAIN, FAILED,   -",
        "COMPLETE,  FAILED,   -",
    })
    void every_clean_up_event_is_decided_for_an_exited_attempt(CleanupState from, CleanupEvent event, String expected) {
        assertThat(AttemptLifecycle.decideCleanup(EXITED, from, event))
                .isEqualTo(
                        expected.equals("-")
                                ? new CleanupDecision.AlreadyDone()
                                : new CleanupDecision.Apply(CleanupState.valueOf(expected)));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "EXITED")
    void clean_up_is_refused_before_the_exit(ExecutionState execution) {
        for (CleanupState state : CleanupState.values()) {
            for (CleanupEvent event : CleanupEvent.values()) {
                assertThat(AttemptLifecycle.decideCleanup(execution, state, event))
                        .isInstanceOfSatisfying(
                                CleanupDecision.Refuse.class,
                                refusal -> assertThat(refusal.code()).isEqualTo(ProblemCode.CONFLICT));
            }
        }
    }

    @Test
    void a_clean_up_state_has_exactly_the_successors_of_the_reference() {
        Map<CleanupState, Set<CleanupState>> mayBecome = Map.of(
                CleanupState.PENDING, EnumSet.of(CleanupState.COMPLETE, CleanupState.UNCERTAIN),
                CleanupState.UNCERTAIN, EnumSet.of(CleanupState.COMPLETE),
                CleanupState.COMPLETE, EnumSet.noneOf(CleanupState.class));
        for (CleanupState from : CleanupState.values()) {
            for (CleanupState to : CleanupState.values()) {
                assertThat(AttemptLifecycle.allows(from, to))
                        .isEqualTo(mayBecome.get(from).contains(to));
            }
        }
    }

    @Test
    void the_published_diagram_is_the_table() throws Exception {
        Path published = Path.of(System.getProperty("berth.root"), "docs", "lifecycle.md");
        assertThat(Files.readString(published))
                .as("regenerate %s from target/lifecycle.md", published)
                .isEqualTo(written(LifecycleDiagram.text()));
    }

    private static String written(String text) throws Exception {
        Files.writeString(Path.of("target", "lifecycle.md"), text);
        return text;
    }
}
