package org.berth.placement;

import static org.berth.placement.ExecutionState.EXITED;
import static org.berth.placement.ExecutionState.INTENDED;
import static org.berth.placement.ExecutionState.RUNNING;
import static org.berth.placement.ExecutionState.STARTING;
import static org.berth.placement.ExecutionState.STOPPING;
import static org.berth.placement.ExecutionState.UNCERTAIN;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.berth.problem.ProblemCode;

/**
 * Which state may follow which: two independent machines, each one a table. A pair that no table lists is refused.
 * Source: placement.md, State machine; the diagram of both tables is {@code docs/lifecycle.md}.
 */
public final class AttemptLifecycle {
    private static final Map<Event, Map<ExecutionState, Decision>> EXECUTION = new EnumMap<>(Event.class);
    private static final Map<CleanupEvent, Map<CleanupState, CleanupDecision>> CLEANUP =
            new EnumMap<>(CleanupEvent.class);

    static {
        apply(Event.CLAIMED, STARTING, INTENDED);
        apply(Event.STOPPED_BEFORE_CLAIM, EXITED, INTENDED);
        apply(Event.CHILD_STARTED, RUNNING, STARTING);
        keep(Event.CHILD_STARTED, RUNNING, STOPPING, UNCERTAIN, EXITED);
        apply(Event.STOP_REQUESTED, STOPPING, STARTING, RUNNING);
        keep(Event.STOP_REQUESTED, STOPPING, UNCERTAIN, EXITED);
        apply(Event.CHILD_EXITED, EXITED, STARTING, RUNNING, STOPPING, UNCERTAIN);
        keep(Event.CHILD_EXITED, EXITED);
        apply(Event.CHILD_NOT_STARTED, EXITED, INTENDED, STARTING, STOPPING, UNCERTAIN);
        keep(Event.CHILD_NOT_STARTED, EXITED);
        apply(Event.ABSENCE_PROVEN, EXITED, STARTING, RUNNING, STOPPING, UNCERTAIN);
        keep(Event.ABSENCE_PROVEN, EXITED);
        apply(Event.BECAME_UNCERTAIN, UNCERTAIN, INTENDED, STARTING, RUNNING, STOPPING);
        keep(Event.BECAME_UNCERTAIN, UNCERTAIN, EXITED);

        cleanup(CleanupEvent.PROVEN, CleanupState.PENDING, new CleanupDecision.Apply(CleanupState.COMPLETE));
        cleanup(CleanupEvent.PROVEN, CleanupState.UNCERTAIN, new CleanupDecision.Apply(CleanupState.COMPLETE));
        cleanup(CleanupEvent.PROVEN, CleanupState.COMPLETE, new CleanupDecision.AlreadyDone());
        cleanup(CleanupEvent.UNPROVEN, CleanupState.PENDING, new CleanupDecision.AlreadyDone());
        cleanup(CleanupEvent.UNPROVEN, CleanupState.UNCERTAIN, new CleanupDecision.AlreadyDone());
        cleanup(CleanupEvent.UNPROVEN, CleanupState.COMPLETE, new CleanupDecision.AlreadyDone());
        cleanup(CleanupEvent.FAILED, CleanupState.PENDING, new CleanupDecision.Apply(CleanupState.UNCERTAIN));
        cleanup(CleanupEvent.FAILED, CleanupState.UNCERTAIN, new CleanupDecision.AlreadyDone());
        cleanup(CleanupEvent.FAILED, CleanupState.COMPLETE, new CleanupDecision.AlreadyDone());
    }

    private AttemptLifecycle() {}

    /** What happened to an attempt. */
    public enum Event {
        CLAIMED,
        STOPPED_BEFORE_CLAIM,
        CHILD_STARTED,
        STOP_REQUESTED,
        CHILD_EXITED,
        CHILD_NOT_STARTED,
        ABSENCE_PROVEN,
        BECAME_UNCERTAIN
    }

    /** What an event comes to. */
    public sealed interface Decision {
        /** Record {@code next}. */
        record Apply(ExecutionState next) implements Decision {}

        /**
         * The state stays; the recorded state answers. The event's own facts (an identity, a signal) may still be
         * recorded beside it.
         */
        record AlreadyDone() implements Decision {}

        /** Not allowed. */
        record Refuse(ProblemCode code, String sentence) implements Decision {}
    }

    /** What a clean-up came to. */
    public enum CleanupEvent {
        /** The required scope is gone and the home is removed. */
        PROVEN,
        /** The required scope is not proven gone; nothing was removed. */
        UNPROVEN,
        /** The scope is gone and the home's removal failed or is not known to be durable. */
        FAILED
    }

    /** What a clean-up event comes to. */
    public sealed interface CleanupDecision {
        /** Record {@code next}. */
        record Apply(CleanupState next) implements CleanupDecision {}

        /** The state stays; the recorded state answers. */
        record AlreadyDone() implements CleanupDecision {}

        /** Not allowed. */
        record Refuse(ProblemCode code, String sentence) implements CleanupDecision {}
    }

    /** What {@code event} does to an attempt in {@code current}. Source: placement.md, State machine. */
    public static Decision decide(ExecutionState current, Event event) {
        Decision listed = EXECUTION.get(event).get(current);
        return listed != null
                ? listed
                : new Decision.Refuse(
                        ProblemCode.CONFLICT,
                        "the attempt is " + Wire.name(current) + ", where " + Wire.name(event) + " cannot happen");
    }

    /** What {@code event} does to the clean-up of an attempt; anything but an exited attempt refuses it. */
    public static CleanupDecision decideCleanup(ExecutionState execution, CleanupState current, CleanupEvent event) {
        return execution == EXITED
                ? CLEANUP.get(event).get(current)
                : new CleanupDecision.Refuse(
                        ProblemCode.CONFLICT,
                        "the attempt is " + Wire.name(execution) + "; only an exited attempt can be cleaned up");
    }

    /** Whether some event leads from {@code from} to {@code to}. */
    public static boolean allows(ExecutionState from, ExecutionState to) {
        return successors(from).contains(to);
    }

    /** Whether some event leads from {@code from} to {@code to}. */
    public static boolean allows(CleanupState from, CleanupState to) {
        return CLEANUP.values().stream().map(row -> row.get(from)).anyMatch(new CleanupDecision.Apply(to)::equals);
    }

    /** Every state that may follow {@code from}, in the order of the states. */
    public static Set<ExecutionState> successors(ExecutionState from) {
        Set<ExecutionState> found = EnumSet.noneOf(ExecutionState.class);
        for (Map<ExecutionState, Decision> row : EXECUTION.values()) {
            if (row.get(from) instanceof Decision.Apply(ExecutionState next)) {
                found.add(next);
            }
        }
        return found;
    }

    private static void apply(Event event, ExecutionState next, ExecutionState... from) {
        for (ExecutionState state : from) {
            EXECUTION
                    .computeIfAbsent(event, _ -> new EnumMap<>(ExecutionState.class))
                    .put(state, new Decision.Apply(next));
        }
    }

    private static void keep(Event event, ExecutionState... states) {
        for (ExecutionState state : states) {
            EXECUTION.get(event).put(state, new Decision.AlreadyDone());
        }
    }

    private static void cleanup(CleanupEvent event, CleanupState from, CleanupDecision decision) {
        CLEANUP.computeIfAbsent(event, _ -> new EnumMap<>(CleanupState.class)).put(from, decision);
    }
}
