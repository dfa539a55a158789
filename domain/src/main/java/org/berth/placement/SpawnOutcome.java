package org.berth.placement;

/** The supervisor's answer to a {@link SpawnOrder}. The same order again answers the same child. */
public sealed interface SpawnOutcome {
    /** The child runs (or has already ended; its exit follows as an event). */
    record Spawned(ProcessIdentity identity, ExecutableMeasurement measured) implements SpawnOutcome {}

    /** No child exists. {@code sentence} says why, in words of ours. */
    record Refused(Reason reason, String sentence) implements SpawnOutcome {}

    /** Whether a child exists is not known; {@code sentence} says why. */
    record Undecided(String sentence) implements SpawnOutcome {}

    /** Why no child exists. */
    enum Reason {
        EXECUTABLE_CHANGED,
        EXECUTABLE_NOT_FOUND,
        EXECUTABLE_IS_DIRECTORY,
        EXECUTABLE_NOT_PERMITTED,
        EXECUTABLE_EMPTY,
        EXECUTABLE_FORMAT,
        INTERPRETER_NOT_FOUND,
        WORKING_DIRECTORY,
        ARGUMENTS_TOO_LARGE,
        CONTAINMENT_UNAVAILABLE,
        NO_SPACE,
        RESOURCE_LIMIT,
        NONCE_MISMATCH,
        FORGOTTEN,
        RETIRING,
        SYSTEM
    }
}
