package org.berth.harness.output;

/** Where output goes: kept in memory alone, or in a file too past the bound. Every method may be called by any thread. */
public sealed interface Output permits OutputBuffer, BoundedOutput {
    /** Takes {@code bytes} from {@code from} to {@code to} (exclusive); after the end nothing is taken. */
    void append(byte[] bytes, int from, int to);

    /** Takes all of {@code bytes}. */
    default void append(byte[] bytes) {
        append(bytes, 0, bytes.length);
    }

    /** No more output comes; what comes nevertheless is ignored. */
    void end();

    /** What is kept at this moment. */
    OutputView view();
}
