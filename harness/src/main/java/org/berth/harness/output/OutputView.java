package org.berth.harness.output;

import java.nio.charset.StandardCharsets;

/**
 * What is kept of an output at one moment.
 *
 * @param kept the kept bytes, exactly as they were written; the caller's own copy
 * @param droppedBytes bytes that were written and are not kept
 * @param keptHead whether the kept bytes are the head of the output, else its tail
 * @param ended whether no more output comes
 */
public record OutputView(byte[] kept, long droppedBytes, boolean keptHead, boolean ended) {
    private static final int LONGEST_CHARACTER_BYTES = 4;

    /** Every byte that was written. */
    public long producedBytes() {
        return kept.length + droppedBytes;
    }

    /**
     * The kept bytes as text: what the bound or the moment cut off a UTF-8 character is left out, and bytes that are no
     * UTF-8 become U+FFFD. The bytes themselves stay in {@link #kept()}.
     */
    public String text() {
        int from = !keptHead && droppedBytes > 0 ? firstWhole() : 0;
        int to = keptHead && droppedBytes > 0 || !ended ? lastWhole(from) : kept.length;
        return new String(kept, from, to - from, StandardCharsets.UTF_8);
    }

    private int firstWhole() {
        int at = 0;
        while (at < kept.length && at < LONGEST_CHARACTER_BYTES - 1 && (kept[at] & 0xc0) == 0x80) {
            at++;
        }
        return at;
    }

    private int lastWhole(int from) {
        int least = Math.max(from, kept.length - LONGEST_CHARACTER_BYTES + 1);
        for (int at = kept.length - 1; at >= least; at--) {
            int lead = kept[at] & 0xff;
            if (lead < 0x80) {
                break;
            }
            if (lead >= 0xc0) {
                int length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
                return at + length > kept.length ? at : kept.length;
            }
        }
        return kept.length;
    }
}
