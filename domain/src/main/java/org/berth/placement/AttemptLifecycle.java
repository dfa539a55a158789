package org.berth.placement;

import org.berth.problem.ProblemCode;

/** Which state may follow which. */
public final class AttemptLifecycle {
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

        /** Nothing to change; the recorded state answers. */
        record AlreadyDone() implements Decision {}

        /** Not allowed. */
        record Refuse(ProblemCode code, String sentence) implements Decision {}
    }

    /** Source: placement.md, State machine. */
    public static Decision decide(ExecutionState current, Event event) {
        throw new IllegalStateException("in work");
    }

    public static boolean allows(ExecutionState from, ExecutionState to) {
        throw new IllegalStateException("in work");
    }

    public static boolean allows(CleanupState from, CleanupState to) {
        throw new IllegalStateException("in work");
    }
}
