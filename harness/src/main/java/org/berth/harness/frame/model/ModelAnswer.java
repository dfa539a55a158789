package org.berth.harness.frame.model;

/** The one answer to a line. */
public sealed interface ModelAnswer {
    /** A handler runs; its result is the reply, later. */
    record Runs(String id, String type) implements ModelAnswer {}

    /** The reply is written at once and nothing runs; {@code status} is {@code error} or {@code duplicate}. */
    record Replies(String id, String status, String error) implements ModelAnswer {}

    /** The event goes on to who waits for it. */
    record Passes(String event) implements ModelAnswer {}

    /** A diagnostic is all that is left of it. */
    record Drops(String event) implements ModelAnswer {}

    /** The kernel is replaced. */
    record Faults(String reason) implements ModelAnswer {}

    /** The kernel is already being replaced. */
    record PassedOver() implements ModelAnswer {}
}
