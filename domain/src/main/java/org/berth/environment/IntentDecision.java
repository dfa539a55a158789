package org.berth.environment;

import org.berth.problem.BerthException;

/** What becomes of an intent. */
public sealed interface IntentDecision {
    /** Nothing of it is journalled yet: write it. */
    record Fresh() implements IntentDecision {}

    /** It was journalled before with the same request: go on from there. */
    record Replay(EnvironmentOperation saved) implements IntentDecision {}

    /** The binding exists, but its provider was never asked for anything: it and its intents give way. */
    record Replace(BindingRecord abandoned) implements IntentDecision {}

    record Refuse(BerthException problem) implements IntentDecision {}
}
