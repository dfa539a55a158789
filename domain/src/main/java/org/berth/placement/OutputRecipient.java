package org.berth.placement;

/**
 * Receives one attempt's output under one generation. Called by one thread at a time, in order; must not block: the
 * sender never has more than the outstanding limit in flight, so an implementation may queue what it is given.
 */
public interface OutputRecipient {
    /** {@code data} is the receiver's own copy; EOF is a chunk of its own, with no bytes. */
    void chunk(OutputStreamKind stream, long sequence, byte[] data, boolean eof, boolean truncated);

    /** The child ended. Independent of EOF: may come before or after it. */
    void exited(Exit exit);

    /** Another recipient holds {@code generation}; nothing more follows. */
    void fenced(long generation);

    /** The way to the supervisor is lost; nothing more follows on this recipient. Unacknowledged chunks come again. */
    void lost();
}
