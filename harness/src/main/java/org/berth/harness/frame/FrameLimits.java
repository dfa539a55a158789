package org.berth.harness.frame;

/**
 * Every limit of the frame gate, in one place.
 *
 * @param lineBytes bytes of the longest line that is a frame, its newline not counted
 * @param headBytes bytes at the start of a longer line in which its header must lie; also the longest id in characters
 * @param rememberedIds how many ids of host requests are known as used, beside those still in flight
 */
public record FrameLimits(int lineBytes, int headBytes, int rememberedIds) {
    /** 32 MiB, 4 KiB, 1024 ids. Source: harness.md, S3. */
    public static final FrameLimits DEFAULT = new FrameLimits(32 << 20, 4 << 10, 1024);

    /**
     * Bytes of memory that one gate may hold beside a whole line: its segments' overhead, the remembered ids and a
     * reader's chunk. Source: harness.md, S3.
     */
    public static final int SLACK_BYTES = 64 << 10;

    /** Bytes of the chunk that a reader of a kernel's pipe should use, so that it fits in the slack. */
    public static final int READ_BYTES = 16 << 10;

    /** @throws IllegalArgumentException when a limit is not positive, or the head is longer than the line */
    public FrameLimits {
        if (lineBytes < 1 || headBytes < 1 || rememberedIds < 1 || headBytes > lineBytes) {
            throw new IllegalArgumentException("frame limits must be positive, and the head within the line");
        }
    }
}
