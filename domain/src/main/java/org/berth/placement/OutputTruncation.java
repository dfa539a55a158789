package org.berth.placement;

/**
 * How much output a log keeps: {@code on} keeps the first or the last {@code bytes} and {@code lines}; {@code off}
 * keeps all. Kept plus dropped is always what was produced. Source: harness.md S2 (51200 bytes, 2000 lines).
 */
public record OutputTruncation(boolean on, long bytes, long lines, boolean keepHead) {
    public static final long DEFAULT_BYTES = 51_200;
    public static final long DEFAULT_LINES = 2_000;
    public static final OutputTruncation DEFAULT = new OutputTruncation(true, DEFAULT_BYTES, DEFAULT_LINES, false);
    public static final OutputTruncation OFF = new OutputTruncation(false, 0, 0, false);
}
