package org.berth.placement;

/** What a stop order came to. Signal evidence follows as events; an exit is only ever told by the wait on the child. */
public enum StopOutcome {
    /** The order is journalled and its first signal was sent (or the exit was already known). */
    ACCEPTED,
    /** Nothing of the scope was left to signal. */
    NOTHING_LEFT,
    /** The process could not be identified, nothing was signalled. */
    UNPROVEN,
    /** The supervisor does not know the attempt or its child yet, or the nonce is not its own. */
    UNKNOWN_ATTEMPT
}
