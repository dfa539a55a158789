package org.berth.harness.call;

/** One report of a running call. */
public sealed interface CallChange {
    /** More output; the bytes are the observer's to read and not to change. */
    record Wrote(byte[] bytes) implements CallChange {}

    /** A warning. */
    record Warned(String warning) implements CallChange {}

    /** Usage on top of what was reported before. */
    record Used(Usage usage) implements CallChange {}
}
