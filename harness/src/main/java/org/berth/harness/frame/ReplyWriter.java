package org.berth.harness.frame;

/**
 * Where replies to a kernel go, the border to its input. Handlers of several threads call it; a line is written whole. A
 * kernel that is gone takes no reply: the writer then drops it.
 */
@FunctionalInterface
public interface ReplyWriter {
    /** Writes one frame with its newline. */
    void write(byte[] line);
}
