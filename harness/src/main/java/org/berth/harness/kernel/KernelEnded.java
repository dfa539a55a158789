package org.berth.harness.kernel;

/** The kernel ended before it answered. */
public final class KernelEnded extends Exception {
    /** @param sentence why, as far as it is known */
    public KernelEnded(String sentence) {
        super(sentence);
    }
}
