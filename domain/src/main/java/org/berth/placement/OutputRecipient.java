package org.berth.placement;

import java.util.function.LongConsumer;

/**
 * Receives one attempt's output under one generation. Called by one thread at a time, in order; must not block: the
 * sender never has more than the outstanding limit in flight, so an implementation may queue what it is given.
 */
public interface OutputRecipient {
    /**
     * Output is on its way, and is acknowledged through {@code acknowledge}: cumulatively, by any thread, without waiting.
     * What is said after this recipient's turn is ignored. Called before the first chunk.
     */
    default void receiving(LongConsumer acknowledge) {}

    /** {@code data} is the receiver's own copy; EOF is a chunk of its own, with no bytes. */
    void chunk(OutputStreamKind stream, long sequence, byte[] data, boolean eof, boolean truncated);

    /** The child ended. Independent of EOF: may come before or after it. */
    void exited(Exit exit);

    /** Another recipient holds {@code generation}; nothing more follows. */
    void fenced(long generation);

    /** The way to the supervisor is lost; nothing more follows on this recipient. Unacknowledged chunks come again. */
    void lost();
}
