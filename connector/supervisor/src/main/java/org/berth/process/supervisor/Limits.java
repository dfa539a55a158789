package org.berth.process.supervisor;

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

    private static void require(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException("--" + name + " is " + least + ".." + most + ", not " + value);
        }
    }
}
