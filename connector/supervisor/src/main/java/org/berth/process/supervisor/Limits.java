package org.berth.process.supervisor;

import org.berth.placement.SpawnOrder;

/**
 * What bounds one attempt. Source: placement.md, Output, input, attachment.
 *
 * @param chunkBytes the most bytes of one output chunk
 * @param spoolBytes the most output bytes kept for a receiver; reads pause beyond
 * @param outstanding the most chunks sent and not acknowledged
 * @param fenceMillis how long a server waits for a fence
 * @param takeoverMillis how long a lost receiver holds up the log's own acknowledgement
 */
public record Limits(int chunkBytes, int spoolBytes, int outstanding, int fenceMillis, int takeoverMillis) {
    public static final Limits DEFAULT = new Limits(16_384, 262_144, 16, 2000, 3000);

    /** An attempt's spool at most. Source: placement.md, Output (4 MiB). */
    public static final int MOST_SPOOL_BYTES = 4 * 1024 * 1024;

    /** Chunks outstanding at most. Source: placement.md, Output. */
    public static final int MOST_CHUNKS = 256;

    /** The most bytes of one input write. */
    public static final int WRITE_BYTES = 65_536;

    /** Write ids remembered for an attempt. */
    public static final int WRITE_IDS = 65_536;

    /** Input that an attempt's child has not taken yet; further writes are answered when it takes some. */
    public static final int PENDING_INPUT_BYTES = 1024 * 1024;

    public Limits {
        require("chunk-bytes", chunkBytes, 1, 1024 * 1024);
        require("spool-bytes", spoolBytes, chunkBytes, 64 * 1024 * 1024);
        require("outstanding", outstanding, 1, 256);
        require("fence-ms", fenceMillis, 1, 600_000);
        require("takeover-ms", takeoverMillis, 1, 600_000);
    }

    /** These, with an attempt's own buffer where it has one; never less than a chunk, never over {@link #MOST_SPOOL_BYTES}. */
    public Limits with(SpawnOrder.Buffer buffer) {
        if (buffer == null) {
            return this;
        }
        int spool = Math.clamp(buffer.spoolBytes(), chunkBytes, MOST_SPOOL_BYTES);
        return new Limits(
                chunkBytes, spool, Math.clamp(buffer.outstandingChunks(), 1, MOST_CHUNKS), fenceMillis, takeoverMillis);
    }

    private static void require(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException("--" + name + " is " + least + ".." + most + ", not " + value);
        }
    }
}
