package org.berth.harness.output;

import java.util.Objects;

/**
 * How much of an output is kept.
 *
 * @param bytes the most bytes that are kept, from 0 to 1 GiB
 * @param lines the most lines that are kept, 0 or more; a last line without its newline counts as one
 * @param keep which end of the output is kept
 */
public record OutputLimits(int bytes, int lines, Keep keep) {
    /** 51200 bytes and 2000 lines; the end of an output, where its failure stands. Source: harness.md, S2. */
    public static final OutputLimits DEFAULT = new OutputLimits(51_200, 2_000, Keep.TAIL);

    /** The most that may be asked for: what is kept lies in memory, in one array. */
    public static final int MOST_BYTES = 1 << 30;

    /** The end of the output that is kept. */
    public enum Keep {
        HEAD,
        TAIL
    }

    /** @throws IllegalArgumentException when a limit is outside its range */
    public OutputLimits {
        Objects.requireNonNull(keep);
        if (bytes < 0 || bytes > MOST_BYTES || lines < 0) {
            throw new IllegalArgumentException("truncation bytes must be from 0 to 1 GiB, and lines 0 or more");
        }
    }
}
