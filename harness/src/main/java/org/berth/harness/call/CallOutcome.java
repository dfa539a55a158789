package org.berth.harness.call;

/** How a call ended. */
public sealed interface CallOutcome {
    /** The tool returned; its result is what it reported as output. */
    record Returned() implements CallOutcome {}

    /** The tool failed with this error. */
    record Failed(String error) implements CallOutcome {}

    /** The call was given up for this reason. */
    record Aborted(String reason) implements CallOutcome {}
}
