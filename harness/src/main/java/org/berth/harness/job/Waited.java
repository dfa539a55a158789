package org.berth.harness.job;

/** What a blocking wait answers. */
public sealed interface Waited<E> {
    /** The end came before the deadline. */
    record Settled<E>(E end) implements Waited<E> {}

    /** The deadline passed; what was waited for goes on in the background. */
    record Detached<E>() implements Waited<E> {}
}
